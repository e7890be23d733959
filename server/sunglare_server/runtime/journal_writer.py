"""Appends the records of a match for one owner, and settles which owner wrote a stored one.

Each number of a match is stored once. Where one is taken, its bytes show by whom: the very same
are ours, whatever the journal said before; others of our epoch are an earlier append of ours that
was taken for refused; those of another epoch are another owner's, who has fenced us off.
"""

from collections.abc import Callable
from itertools import takewhile
from typing import NamedTuple, final

from sunglare_protocol.errors import SunglareError
from sunglare_protocol.ids import MatchId
from sunglare_server.match.record import FIRST_EPOCH, epoch_of
from sunglare_server.ports.journal import Journal, JournalError, NumberTakenError


@final
class FencedError(SunglareError):
    """Another owner serves the match: record `number` is not ours, but of `epoch`, if known."""

    def __init__(self, number: int, epoch: int | None) -> None:
        """Keep whose record it is."""
        super().__init__(number, epoch)
        self.number, self.epoch = number, epoch

    def __str__(self) -> str:
        """Return whose record it is."""
        return f"record {self.number} is of an owner of epoch {self.epoch}"


@final
class DuplicateAppendError(JournalError):
    """Instead of an append an earlier one of ours was stored, which had been refused.

    `blobs` are its records, and `before` is the record that they follow on, b"" for none.
    """

    def __init__(self, before: bytes, blobs: tuple[bytes, ...]) -> None:
        """Keep what was stored."""
        super().__init__("an earlier append was stored after all")
        self.before, self.blobs = before, blobs


def _always() -> bool:
    return True


def _unheard() -> None:
    pass


@final
class Ownership(NamedTuple):
    """One owner's time with a match: its epoch, and whether it may take orders now.

    `ended` is called, once, when another owner has taken over. `is_alone`: none ever can.
    """

    epoch: int = FIRST_EPOCH
    is_held: Callable[[], bool] = _always
    ended: Callable[[], None] = _unheard
    is_alone: bool = False


@final
class JournalWriter:
    """Appends the records of one match for one owner."""

    def __init__(self, match: MatchId, journal: Journal, ownership: Ownership) -> None:
        """Write to `journal`."""
        self.ownership = ownership
        self._match = match
        self._journal = journal

    @property
    def is_held(self) -> bool:
        """Return whether anything may be written or shown now."""
        return self.ownership.is_held()

    async def write(self, first: int, blobs: tuple[bytes, ...]) -> None:
        """Store the blobs as records `first`, `first` + 1, … and return once they are durable.

        Raise `FencedError` if another owner has written, `DuplicateAppendError` if we have; and
        `JournalError`, with which none of them counts as stored, if the medium refuses or the
        lease is not held now.
        """
        if not self.is_held:
            raise JournalError("the lease of the match is not held")
        try:
            await self._journal.append(self._match, first, blobs)
        except NumberTakenError as error:
            await self._settle(first, blobs, error)

    async def _settle(self, first: int, blobs: tuple[bytes, ...], error: NumberTakenError) -> None:
        """Return if the very same blobs are stored; raise what it is else, `error` for a gap."""
        after = max(0, first - 2)
        stored = await self._journal.read(self._match, after)
        before, taken = stored[: first - 1 - after], stored[first - 1 - after :]
        if taken[: len(blobs)] == blobs:
            return
        if not taken:
            raise error
        if (epoch := epoch_of(taken[0])) != self.ownership.epoch:
            raise FencedError(first, epoch) from error
        raise DuplicateAppendError(
            b"".join(before), tuple(takewhile(self._is_ours, taken))
        ) from error

    def _is_ours(self, blob: bytes) -> bool:
        return epoch_of(blob) == self.ownership.epoch
