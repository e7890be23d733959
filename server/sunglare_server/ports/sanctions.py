"""Sanctions of the operator: who is not let in or heard, and names that are barred.

Theory of operation. A sanction is of a kind. A ban or a mute concerns an account by its id, or all
who come from a range of addresses; another one bars a name. It has a reason and, unless it lasts
until it is lifted, an end. All of them are known in memory, in a `Book`, as they are asked for
with every `hello` and every word of chat. Their keeper stores each before it is in the book, and
fills the book when it opens. One that has ended is as good as lifted: the book finds it no more,
and it is deleted when the next one is kept.
"""

from typing import Final, Protocol, final

import msgspec

from sunglare_protocol.word import Word
from sunglare_server.base.timestamps import moment
from sunglare_server.ports.networks import lies_in

REASON_MOST: Final = 200
"""The longest reason, in characters."""


class SanctionKind(Word):
    """What a sanction keeps people from: being let in, being heard, having a name."""

    BAN = "ban"
    MUTE = "mute"
    NAME = "name"


@final
class Sanction(msgspec.Struct, frozen=True, kw_only=True):
    """A ban, a mute or a barred name; without `until_ms` it lasts until it is lifted.

    Times are the server's, in ms.
    """

    kind: SanctionKind
    whom: str
    """An account's id, or a range of addresses, which has a slash; or the name."""
    since_ms: int
    until_ms: int | None = None
    reason: str = ""

    @property
    def is_of_network(self) -> bool:
        """Return whether it concerns a range of addresses."""
        return "/" in self.whom and self.kind is not SanctionKind.NAME

    @property
    def is_of_account(self) -> bool:
        """Return whether it concerns an account."""
        return "/" not in self.whom and self.kind is not SanctionKind.NAME

    def holds(self, now_ms: int) -> bool:
        """Return whether it has not ended."""
        return self.until_ms is None or now_ms < self.until_ms

    @property
    def told(self) -> str:
        """Return the text for the account that it concerns: its end and its reason."""
        end = "" if self.until_ms is None else f"Until {moment(self.until_ms)}."
        reason = f"The reason: {self.reason}" if self.reason else ""
        return f"{end} {reason}".strip()


@final
class Book:
    """The sanctions that are known, found by whom they concern."""

    def __init__(self) -> None:
        """Begin with none."""
        self._known: dict[tuple[SanctionKind, str], Sanction] = {}
        self._networks = dict.fromkeys(SanctionKind, 0)

    def take(self, sanction: Sanction) -> None:
        """Know a sanction, in place of an earlier one of its kind for the same."""
        self.drop(sanction.kind, sanction.whom)
        self._known[sanction.kind, sanction.whom] = sanction
        self._networks[sanction.kind] += sanction.is_of_network

    def drop(self, kind: SanctionKind, whom: str) -> None:
        """Know it no more."""
        known = self._known.pop((kind, whom), None)
        if known is not None:
            self._networks[kind] -= known.is_of_network

    @property
    def all(self) -> tuple[Sanction, ...]:
        """Return all, those that have ended among them, in the order in which they came."""
        return tuple(self._known.values())

    def of(
        self, kind: SanctionKind, accounts: tuple[str, ...], address: str | None, now_ms: int
    ) -> Sanction | None:
        """Return one that holds for any of these accounts, or for an address."""
        ranges = lies_in(address) if address is not None and self._networks[kind] else ()
        found = [self._known.get((kind, whom)) for whom in (*accounts, *ranges)]
        holding = [one for one in found if one is not None and one.holds(now_ms)]
        return holding[0] if holding else None


class Sanctions(Protocol):
    """Keeps the sanctions; workers of a cluster share them, so they hold wherever one comes."""

    @property
    def book(self) -> Book:
        """Return those that are known here."""
        ...

    @property
    def unread(self) -> int:
        """Return how many of them are kept and can't be read, so that they don't hold."""
        ...

    async def drop_unread(self) -> None:
        """Delete those that can't be read; raise `MediumError` if that can't be done."""
        ...

    async def keep(self, sanction: Sanction) -> None:
        """Keep a sanction, in place of an earlier one of its kind for the same.

        It holds here when this returns, and with other workers a moment later. Raise
        `MediumError` if it can't be kept.
        """
        ...

    async def lift(self, kind: SanctionKind, whom: str) -> bool:
        """Lift a sanction; return whether there was one."""
        ...


@final
class ProcessSanctions:
    """Those of one process, for as long as it lives: nothing of them is stored."""

    def __init__(self) -> None:
        """Begin with none."""
        self.book = Book()
        self.unread = 0

    async def drop_unread(self) -> None:
        """Do nothing: what is not stored can be read."""

    async def keep(self, sanction: Sanction) -> None:
        """Keep a sanction, in place of an earlier one of its kind for the same."""
        self.book.take(sanction)

    async def lift(self, kind: SanctionKind, whom: str) -> bool:
        """Lift a sanction; return whether there was one."""
        was_there = any((one.kind, one.whom) == (kind, whom) for one in self.book.all)
        self.book.drop(kind, whom)
        return was_there
