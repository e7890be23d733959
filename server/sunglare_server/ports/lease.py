"""The lease port: which process owns a match, and since which epoch. One process owns them all.

An epoch is the fencing token of an owner: a number from 1, greater than those of all owners of the
match before; some may be left out. All records carry their writer's, and the record `own` raises
it. The owner of a match may have been superseded without knowing: what keeps two owners apart is
the journal, which takes each number once. The lease only keeps them from trying.
"""

from collections.abc import Callable
from typing import Protocol, final

from sunglare_protocol.ids import MatchId
from sunglare_server.base.storage_errors import MediumError
from sunglare_server.match.record import FIRST_EPOCH, epoch_of
from sunglare_server.ports.journal import Journal

RENEWED_PART = 0.75
"""An owner that has not renewed within this part of the lease's time to live takes no orders."""

Lost = Callable[[MatchId], None]
"""Hears that a match is another owner's now; it must not raise."""


class LeaseError(MediumError):
    """What keeps the leases could not be asked, or refused: nothing is known; `why` says why."""


@final
class ElsewhereError(LeaseError):
    """A match is another server's: clients that come for it here have to go there."""

    def __init__(self, match: MatchId) -> None:
        """Keep which match it is."""
        super().__init__(f"{match} is another server's")
        self.match = match


class Lease(Protocol):
    """Knows the owner of each match; one conformance suite holds for every implementation.

    It belongs to one process and its event loop. Times are those of its own monotonic clock.
    """

    async def claim(self, match: MatchId) -> int | None:
        """Own a match and return the epoch of this ownership; None if another process owns it.

        The epoch is greater than every one that another owner was given. Claimed again by who
        owns it already, it is the same as before. Raise `LeaseError` or `JournalError` if that
        can't be known now: the match may be owned all the same, and may be claimed again.
        """
        ...

    async def release(self, match: MatchId) -> None:
        """Own a match no more, so that another one can claim it at once; it goes on there.

        Nothing happens if it is not owned. Raise `LeaseError` if that can't be stored: the lease
        then ends by itself, and the match is owned no more all the same.
        """

    async def drop(self, match: MatchId) -> None:
        """Forget a match that is over; errors as for `release`."""

    def is_held(self, match: MatchId) -> bool:
        """Return whether a match is owned, renewed within `RENEWED_PART` of the time to live.

        An owner that was held up is no owner while this is false, and may be again.
        """
        ...

    def on_lost(self, lost: Lost) -> None:
        """Call `lost` once for each match whose lease another one has taken; it is owned no more.

        One that is released or dropped here is not lost. The last one given hears it.
        """


@final
class SoleLease:
    """Lets one process own every match; each of its epochs is one more than the newest record's.

    The holder of the database's lock is alone, so nothing is kept but what is owned.
    """

    def __init__(self, journal: Journal) -> None:
        """Find the epochs of earlier processes in `journal`."""
        self._journal = journal
        self._epochs: dict[MatchId, int] = {}

    async def claim(self, match: MatchId) -> int | None:
        """Own a match; return one more than the epoch of its newest record, 1 without any.

        Raise what the journal does where that can't be read.
        """
        if match not in self._epochs:
            newest = await self._newest(match)
            # Another owner may have asked meanwhile, and have begun to write.
            self._epochs.setdefault(match, newest + 1)
        return self._epochs[match]

    async def release(self, match: MatchId) -> None:
        """Own a match no more."""
        self._epochs.pop(match, None)

    async def drop(self, match: MatchId) -> None:
        """Forget a match that is over."""
        self._epochs.pop(match, None)

    def is_held(self, match: MatchId) -> bool:
        """Return whether the match is owned: no other process can take it."""
        return match in self._epochs

    def on_lost(self, lost: Lost) -> None:
        """Do nothing: no lease is lost here."""

    async def _newest(self, match: MatchId) -> int:
        """Return the epoch of the newest record; whether it is damaged, loading it will show."""
        last = await self._journal.last(match)
        newest = await self._journal.read(match, last - 1, 1) if last else ()
        return (epoch_of(newest[0]) if newest else None) or FIRST_EPOCH - 1
