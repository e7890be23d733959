"""Leases of several processes on one register, in memory, which a test can move and hold up."""

from typing import final

from sunglare_protocol.ids import MatchId
from sunglare_server.ports.lease import LeaseError, Lost


@final
class Register:
    """Who owns which match, by what epoch; the epochs of all matches are counted together."""

    def __init__(self) -> None:
        """Begin without owners."""
        self.owners: dict[MatchId, tuple[MemoryLease, int]] = {}
        self._counted = 100

    def give(self, match: MatchId, lease: "MemoryLease") -> int:
        """Let `lease` own a match, whoever did, who may not have heard of it yet."""
        self._counted += 7
        self.owners[match] = (lease, self._counted)
        return self._counted


@final
class MemoryLease:
    """One process's lease: `is_down` while it can reach nobody, `is_late` while it is held up."""

    def __init__(self, register: Register) -> None:
        """Own nothing yet."""
        self.register = register
        self.is_down = False
        self.is_late = False
        self._epochs: dict[MatchId, int] = {}
        self._told: Lost = _unheard

    async def claim(self, match: MatchId) -> int | None:
        """Own a match if nobody else does."""
        self._refuse_if_down()
        if match in self._epochs:
            return self._epochs[match]
        if match in self.register.owners:
            return None
        self._epochs[match] = self.register.give(match, self)
        return self._epochs[match]

    async def release(self, match: MatchId) -> None:
        """Own a match no more."""
        epoch = self._epochs.pop(match, None)
        self._refuse_if_down()
        if self.register.owners.get(match) == (self, epoch):
            del self.register.owners[match]

    async def drop(self, match: MatchId) -> None:
        """Forget a match that is over."""
        await self.release(match)

    def is_held(self, match: MatchId) -> bool:
        """Return whether a match is owned, and nothing is held up."""
        return match in self._epochs and not self.is_late

    def on_lost(self, lost: Lost) -> None:
        """Tell `lost` of each match that another one has taken."""
        self._told = lost

    def take(self, match: MatchId) -> int:
        """Take a match whoever owns it, who does not hear of it before `hear`."""
        self._epochs[match] = self.register.give(match, self)
        return self._epochs[match]

    def hear(self) -> None:
        """Find out which matches another one has taken."""
        for match, epoch in tuple(self._epochs.items()):
            if self.register.owners.get(match) != (self, epoch):
                del self._epochs[match]
                self._told(match)

    def _refuse_if_down(self) -> None:
        if self.is_down:
            raise LeaseError("nobody answers")


def _unheard(match: MatchId) -> None:
    del match
