"""Draining: a server begins no match any more, and ends after the last one or at a moment.

Theory of operation. An end at a moment is announced to every connection, by the own broadcast and,
over the signs of life, by those of the gateways; another moment replaces it, and `drain --off`
takes everything back. When one worker of a cluster ends, the others take its matches over: so
nothing is announced, and until then it does all that it did. If all of them end, there is no
takeover.
"""

import asyncio
from typing import final

from sunglare_server.base.shutdown import Closing
from sunglare_server.base.tasks import spawn
from sunglare_server.ops.control.formatting import age
from sunglare_server.ops.control.overview import Installation
from sunglare_server.ops.control.requests import Drain, RequestError
from sunglare_server.ops.control.scheduled_shutdown import check_drain, moment
from sunglare_server.runtime.match_handle import MatchHandle

LOOK_MS = 250
"""How often a draining server looks whether a match still goes on."""


@final
class Draining:
    """The end of one server or worker, as its operator orders it."""

    def __init__(self, site: Installation) -> None:
        """Begin without an end."""
        self._site = site
        self._end = site.end
        self._lobby = site.lobby
        self._policy = site.lobby.policy
        self._wait: asyncio.Task[None] | None = None

    @property
    def ended(self) -> asyncio.Event:
        """Return what is set when the server shall end."""
        return self._end.ended

    async def order(self, request: Drain) -> str:
        """Do what is ordered and say what comes of it; raise `RequestError` if that can't be."""
        check_drain(request)
        if request.off:
            return self._call_off()
        if request.in_ms is not None:
            return self._end_at(request)
        self._policy.is_draining = True
        if self._site.is_shared:
            self.ended.set()
            return "the worker ends now; the others take its matches over"
        if request.now:
            self.ended.set()
            return "the server ends now; its matches go on when it is started again"
        if self._wait is None:
            self._wait = spawn(self._await_matches(), "drain")
        left = len(self._going_on())
        ends = f"the server ends after {left} {'match' if left == 1 else 'matches'}"
        return f"no match begins any more; {ends}"

    def close(self) -> None:
        """Wait for nothing any more."""
        self._end.stop()
        self._await_none()

    def _end_at(self, request: Drain) -> str:
        closing = self._end.order(request)
        self._await_none()
        when = f"in {age(self._end.left_s or 0)}, at {moment(closing.at_ms)}"
        if self._site.is_shared and not request.whole:
            self._policy.is_draining = False
            self._announce(None)
            return f"the worker ends {when}; the others take its matches over, so nobody is told"
        self._policy.is_draining = True
        self._announce(closing)
        return f"no match begins any more; the server ends {when}; everybody is told"

    def _call_off(self) -> str:
        if self._end.closing is None and not self._policy.is_draining:
            raise RequestError("no end is ordered")
        self._end.call_off()
        self._await_none()
        self._policy.is_draining = False
        self._announce(None)
        self._lobby.starting.begin_again()
        return "the end is called off; matches begin again"

    def _announce(self, closing: Closing | None) -> None:
        self._site.gateway.shutdown_broadcast.announce(closing)
        if self._site.rpc_server is not None:
            self._site.rpc_server.closing = closing

    def _await_none(self) -> None:
        if self._wait is not None:
            self._wait.cancel()
            self._wait = None

    async def _await_matches(self) -> None:
        clock = self._site.clock
        while self._going_on():
            await clock.sleep_until_ms(clock.now_ms() + LOOK_MS)
        self.ended.set()

    def _going_on(self) -> list[MatchHandle]:
        # One that a bug has stopped would be waited for without end.
        handles = self._lobby.matches.handles
        return [handle for handle in handles if not (handle.is_done or handle.is_faulty)]
