"""A feed as a gateway follows it for its lines: once for all of them, without a gap.

Theory of operation. Messages of a feed come numbered, and each line has all up to a number of its
own, its `have`. One that has all up to the number before gets the next; one that has less waits
until what it misses was asked for, which is done once for all who wait. So nothing depends on what
a transport loses, and a client that comes while the owner of the match changes misses nothing.

What an earlier owner shows after the first of a newer one is dropped, by its epoch.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import final

import structlog

from sunglare_protocol.codec import Form, decode_server
from sunglare_protocol.compact import Stream
from sunglare_protocol.ids import Audience, MatchId, content_of
from sunglare_server.api.port import COME_BACK, RESTARTING, OpenConnection
from sunglare_server.base.tasks import spawn
from sunglare_server.runtime.encoded_message import EncodedMessage, Header
from sunglare_server.runtime.spectator_fanout import SpectatorBroadcaster, Viewer
from sunglare_server.transport.messages import Backlog, ClientContext, FeedMessage, shown_of
from sunglare_server.transport.transport import Stop, TransportError

AskMissed = Callable[["Follower"], Awaitable[Backlog]]
"""Asks for what a line has not got; TransportError if there is no answer."""


def _nothing() -> None:
    pass


@final
class Follower:
    """A line that follows a feed, as its seat or not, and has what was shown up to `have`."""

    def __init__(
        self,
        line: OpenConnection,
        have: int,
        context: Callable[[], ClientContext],
        *,
        is_seat: bool,
    ) -> None:
        """Begin to follow; `context` returns the card of the line as it is then."""
        self.line = line
        self.context = context
        self.have = have
        self.is_seat = is_seat
        self.is_behind = True
        self.viewer = Viewer(line)


@final
class FeedReplica:
    """A feed of a match, and the lines of this gateway that follow it."""

    def __init__(
        self,
        match: MatchId,
        feed: Audience,
        broadcaster: SpectatorBroadcaster,
        missed: AskMissed,
        noted: Callable[[], None] = _nothing,
        refused: Callable[[], None] = _nothing,
    ) -> None:
        """Begin empty; `missed` asks for what was not seen here.

        `noted` is called at each gap: a message that came before what lies between. `refused` is
        called where a line does not get what it missed.
        """
        self.match = match
        self.feed = feed
        self.epoch = 0
        self._stop: Stop | None = None
        self._is_closed = False
        self._broadcaster = broadcaster
        self._missed = missed
        self._noted = noted
        self._refused = refused
        self._stream = Stream(match, content_of(feed))
        self._followers: dict[Follower, None] = {}
        self._chase: asyncio.Task[None] | None = None
        self._log = structlog.get_logger()

    @property
    def is_followed(self) -> bool:
        """Return whether anybody follows."""
        return bool(self._followers)

    def open(self, stop: Stop) -> None:
        """Note that what is shown comes from now on, until `stop`; ask for what came before."""
        self._stop = stop
        if self._is_closed:
            stop()
        else:
            self.catch_up()

    def close(self) -> None:
        """Take nothing more."""
        self._is_closed = True
        if self._chase is not None:
            self._chase.cancel()
        if self._stop is not None:
            self._stop()

    def join(self, follower: Follower) -> None:
        """Have a line follow from its `have` on."""
        self._followers[follower] = None
        self.catch_up([follower])

    def leave(self, follower: Follower) -> None:
        """Give a line nothing more, what has come for it and is not sent included."""
        self._followers.pop(follower, None)
        follower.viewer.has_gone = True

    def catch_up(self, followers: Iterable[Follower] | None = None) -> None:
        """Ask for what these may have missed, or all of them."""
        for follower in tuple(self._followers) if followers is None else followers:
            follower.is_behind = True
        if self._chase is None or self._chase.done():
            self._chase = spawn(self._catch_up(), f"catch up with {self.match}")

    def take(self, _: str, data: bytes) -> None:
        """Take what an owner shows to all."""
        try:
            self.take_shown(shown_of(data))
        except TransportError as error:
            self._log.warning("feed_message_unreadable", match=self.match, why=error.why)

    def take_shown(self, shown: FeedMessage) -> None:
        """Take an encoded message of an owner, unless there is a newer one."""
        if shown.epoch >= self.epoch:
            self.epoch = shown.epoch
            self._pass_on(shown)

    def _pass_on(self, shown: FeedMessage) -> None:
        ready = [one for one in self._followers if one.have == shown.seq - 1]
        late = [one for one in self._followers if one.have < shown.seq - 1]
        stream = self._stream if shown.is_frame else None
        header = Header(shown.seq, stream, shown.before)
        self._give(ready, EncodedMessage.carried(header, shown.packed, shown.change))
        if late:
            self._noted()
            self.catch_up(late)

    def _give(self, followers: list[Follower], encoded_message: EncodedMessage) -> None:
        for follower in followers:
            follower.have = encoded_message.header.seq
            if follower.is_seat:
                follower.line.put(encoded_message)
        viewers = [follower.viewer for follower in followers if not follower.is_seat]
        self._broadcaster.send(encoded_message, viewers)

    async def _catch_up(self) -> None:
        while behind := [one for one in self._followers if one.is_behind]:
            for follower in behind:
                follower.is_behind = False
            first = min(behind, key=lambda one: one.have)
            try:
                missed = await self._missed(first)
            except TransportError:
                if first in self._followers:
                    # The code that brings the lines back to their match has it asked again.
                    self._refused()
                    return
                # That line has ended meanwhile: it is asked for the others.
                for follower in behind:
                    follower.is_behind = True
                continue
            if missed.epoch >= self.epoch:
                self.epoch = missed.epoch
                self._fill_in(missed)

    def _fill_in(self, missed: Backlog) -> None:
        found = [
            EncodedMessage(decode_server(data, Form.PACKED)) for data in missed.encoded_messages
        ]
        if missed.is_whole:
            self._begin_anew([one for one in self._followers if one.have < missed.newest], found)
        else:
            for encoded_message in found:
                before = encoded_message.header.seq - 1
                self._give([one for one in self._followers if one.have == before], encoded_message)

    def _begin_anew(self, behind: list[Follower], keyframe: list[EncodedMessage]) -> None:
        """Show spectators the newest view; a seat misses nothing, so it has to resume."""
        for follower in [one for one in behind if one.is_seat]:
            follower.line.dismiss(COME_BACK, RESTARTING)
        viewers = [one for one in behind if not one.is_seat]
        for encoded_message in keyframe:
            self._give(viewers, encoded_message)
