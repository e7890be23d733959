"""The matches that a server owns: claimed before they are served, given back when it ends.

A match that another server has taken over is not this one's any more, wherever it stands here:
its runner learns it first, and then all who follow it are sent away.
"""

from collections.abc import Awaitable, Callable
from typing import NamedTuple, final

import structlog

from sunglare_protocol.ids import MatchId
from sunglare_server.base.clock import Clock
from sunglare_server.base.heartbeat import Outage
from sunglare_server.base.tasks import spawn
from sunglare_server.match.record import FIRST_EPOCH, Opened
from sunglare_server.ports.journal import Journal
from sunglare_server.ports.lease import ElsewhereError, Lease, LeaseError, SoleLease
from sunglare_server.runtime.fold_history import past_folded
from sunglare_server.runtime.journal_writer import FencedError, Ownership
from sunglare_server.runtime.runner import Runner
from sunglare_server.runtime.scheduler import Scheduler
from sunglare_server.runtime.turn_notifier import NotifyTurn


@final
class OwnershipCallbacks(NamedTuple):
    """The list of the matches that are served: `adopt` takes one, `gone` hears that it was lost.

    The first before anything of it is shown.
    """

    adopt: Callable[[Runner], None]
    gone: Callable[[MatchId], None]


_Begin = Callable[[Runner, Callable[[], None]], Awaitable[None]]


@final
class OwnedMatches:
    """What one server owns by its lease, and who serves it here."""

    def __init__(
        self,
        lease: Lease | None,
        journal: Journal,
        clock: Clock,
        scheduler: Scheduler,
        notify_turn: NotifyTurn,
        listed: OwnershipCallbacks,
    ) -> None:
        """Claim by `lease`, without one everything.

        The rest is what a `Runner` takes, and the list it is put on.
        """
        self._lease = lease or SoleLease(journal)
        self._journal = journal
        self._clock = clock
        self._scheduler, self._figures = scheduler, scheduler.figures
        self._notify_turn = notify_turn
        self._listed = listed
        self._serving: dict[MatchId, Runner] = {}
        self._log = structlog.get_logger()
        self._lease.on_lost(self._lost)

    async def claimed(self, match: MatchId) -> bool:
        """Return whether a match is owned here from now on; raise what `Lease.claim` does."""
        return await self._lease.claim(match) is not None

    def holds(self, match: MatchId) -> bool:
        """Return whether a match is owned here, and that is certain now."""
        return self._lease.is_held(match)

    async def opened(self, match: MatchId, opened: Opened) -> Runner:
        """Return the runner of a match that begins; raise `ElsewhereError` if it does elsewhere.

        Raise also what `Lease.claim` and `Runner.open` do, `RecordError` if its past is bad.
        """
        await past_folded(opened, self._scheduler.wait_idle)
        return await self._served(match, lambda one, ready: one.open(opened, ready))

    async def taken_over(self, match: MatchId, outage: Outage | None) -> Runner:
        """Return the runner of a match from its records; raise as `opened` does."""
        return await self._served(match, lambda one, ready: one.recover(ready, outage))

    async def looked_at(self, match: MatchId) -> Runner:
        """Return the runner of a match that is over, which needs no owner once it is closed."""
        nobodys = Ownership(FIRST_EPOCH - 1)
        runner = Runner(
            match, self._journal, self._clock, self._scheduler, self._notify_turn, nobodys
        )
        try:
            await runner.recover(lambda: self._listed.adopt(runner), None)
        except FencedError:
            # It is still to be closed, which its owner does.
            return await self.taken_over(match, None)
        return runner

    async def _served(self, match: MatchId, begin: _Begin) -> Runner:
        epoch = await self._lease.claim(match)
        if epoch is None:
            raise ElsewhereError(match)
        ownership = Ownership(
            epoch,
            is_held=lambda: self._lease.is_held(match),
            ended=lambda: self._end(match),
            is_alone=isinstance(self._lease, SoleLease),
        )
        runner = Runner(
            match, self._journal, self._clock, self._scheduler, self._notify_turn, ownership
        )
        # From now on it hears if the lease is lost.
        self._serving[match] = runner
        try:
            await begin(runner, lambda: self._listed.adopt(runner))
        except FencedError as error:
            runner.fence(str(error))
            raise ElsewhereError(match) from error
        except BaseException:
            self.leave(match)
            self._figures.drop(match)
            raise
        return runner

    def leave(self, match: MatchId) -> None:
        """Note that the match is not served here; it is still owned."""
        self._serving.pop(match, None)

    async def release(self, match: MatchId) -> None:
        """Let another server own a match, at once if that can be announced."""
        self.leave(match)
        self._figures.drop(match)
        await self._tell(self._lease.release, match)

    async def drop(self, match: MatchId) -> None:
        """Own a match no more that is over."""
        self.leave(match)
        await self._tell(self._lease.drop, match)

    async def _tell(self, tell: Callable[[MatchId], Awaitable[None]], match: MatchId) -> None:
        try:
            await tell(match)
        except LeaseError as error:
            # It ends by itself when it is not renewed.
            self._log.warning("lease_not_released", match=match, why=error.why)

    def _end(self, match: MatchId) -> None:
        self.leave(match)
        self._listed.gone(match)
        # An owner that has written may have done so before the lease knew.
        spawn(self._tell(self._lease.release, match), f"give {match} up")

    def _lost(self, match: MatchId) -> None:
        runner = self._serving.pop(match, None)
        if runner is not None:
            runner.fence("its lease was taken")
        else:
            self._figures.drop(match)
            self._listed.gone(match)
