"""Stores of both kinds, and the tickets and ended matches that are put into them."""

from pathlib import Path
from random import Random

from simulation.disk import Disk
from simulation.diskratings import disk_storage
from sunglare_protocol.ids import MatchId, Side
from sunglare_server.ports.store import Ended, Store, Ticket, hash_of
from sunglare_server.sqlite.storage import Storage, sqlite_storage

ALPHA = MatchId("a" * 26)
BETA = MatchId("b" * 26)
A = Side("A")
B = Side("B")

KINDS = ("sqlite", "disk")
"""Where a store keeps what it is given: in a file, or on the disk of the simulation."""


async def storage_of(kind: str, path: Path) -> Storage:
    """Open an empty storage of a kind."""
    if kind == "sqlite":
        return await sqlite_storage(path)
    return await disk_storage(Disk(Random(0)))


def ticket(text: str, *, match: MatchId = ALPHA, side: Side = A, session: int = 1) -> Ticket:
    """Return a ticket as the store tells it."""
    return Ticket(hash=hash_of(text), match=match, side=side, session=session, expires_ms=1_000)


async def give(
    store: Store, text: str, *, match: MatchId = ALPHA, side: Side = A, expires_ms: int = 1_000
) -> None:
    """Give a ticket to a seat."""
    await store.give_ticket(hash_of(text), match, side, expires_ms)


def ended(at_ms: int, *accounts: str, is_public: bool = True) -> Ended:
    """Return what is kept of a match that is over, whose tickets end 4 s later."""
    return Ended(ended_ms=at_ms, is_public=is_public, accounts=accounts, expires_ms=at_ms + 4_000)


class ModelSeat:
    """The rule of a seat's tickets in its plainest form, without the limit on spare ones."""

    def __init__(self) -> None:
        self.good = [1]
        self.used: list[int] = []
        self.newest = 1

    def use(self, number: int) -> bool:
        """Return whether the ticket was good; its first use leaves it and the next one alone.

        The very first ticket of a seat ends none.
        """
        if number not in self.good:
            return False
        if number not in self.used and number != 1:
            self.good = [number]
        self.used.append(number)
        self.newest += 1
        self.good.append(self.newest)
        return True


async def obeys_the_model(store: Store, uses: list[int]) -> None:
    """Assert that tickets of a seat are used as in the model, whatever is used in which order."""
    model = ModelSeat()
    await give(store, "1")
    for number in uses:
        was_good = model.use(number)
        issued = await store.use_ticket(hash_of(str(number)), hash_of(str(model.newest)))
        assert (issued is not None) == was_good
        kept = await store.tickets_of(ALPHA, A)
        assert [held.session for held in kept] == model.good
