"""The names that are taken or kept back, and what a new one must be."""

import re
from collections.abc import Callable, Iterable
from typing import final

from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.text import NAME_MOST, clean
from sunglare_server.accounts.confusables import looks
from sunglare_server.accounts.role_names import RESERVED, reads_as_role
from sunglare_server.accounts.scripts import is_highly_restrictive

GUEST = "guest-"
"""How names of guests begin; chosen names never begin like it."""

_GUESTS = re.compile(rf"{GUEST}[0-9a-f]{{8}}")

AT = "$.name"
"""Where a name stands in `hello`."""

_GUEST_LOOKS = looks(GUEST)


def guest_name(number: bytes) -> str:
    """Return the name of a guest with this number of four bytes."""
    return f"{GUEST}{number.hex()}"


def is_guests(name: str) -> bool:
    """Return whether a name is such as guests are given."""
    return _GUESTS.fullmatch(name) is not None


@final
class Names:
    """How the names of all people look; kept in memory, since Unicode's tables grow.

    Those of guests are not kept: there are as many as ever came, and none can be mistaken for a
    chosen name.
    """

    def __init__(self, bots: Iterable[str]) -> None:
        """Keep back the names of `bots`, which seats show as they show people's."""
        self._reserved: dict[str, str] = {}
        self.keep_back((*RESERVED, *bots))
        self.barred: Callable[[], Iterable[str]] = tuple
        """Returns the names that the operator has barred."""
        self._accounts: dict[str, list[str]] = {}
        self._looks: dict[str, tuple[str, ...]] = {}

    def keep_back(self, names: Iterable[str]) -> None:
        """Keep these back as well from now on; an account that has one already keeps it."""
        self._reserved |= {look: name for name in names for look in looks(name)}

    def fit(self, name: str, account: str | None) -> str | Rejected:
        """Return `name` as it is stored, if `account` may take it; None is a new account."""
        wanted = clean(name, NAME_MOST)
        if wanted is None:
            return Rejected(code=Code.TEXT_UNFIT, at=AT)
        if not is_highly_restrictive(wanted):
            return Rejected(code=Code.NAME_SCRIPTS, at=AT)
        shown = looks(wanted)
        if self._is_kept_back(shown) or reads_as_role(shown):
            return Rejected(code=Code.NAME_RESERVED, at=AT)
        if any(look in shown for name in self.barred() for look in looks(name)):
            return Rejected(code=Code.NAME_BARRED, at=AT)
        if any(holder != account for look in shown for holder in self._accounts.get(look, ())):
            return Rejected(code=Code.NAME_TAKEN, at=AT)
        return wanted

    def is_kept_back(self, name: str) -> bool:
        """Return whether a name looks like one that is kept back, or begins like a guest's."""
        return self._is_kept_back(looks(name))

    def take(self, account: str, name: str) -> None:
        """Note that `account` has this name, and no other."""
        self.drop(account)
        if is_guests(name):
            return
        self._looks[account] = looks(name)
        for look in self._looks[account]:
            self._accounts.setdefault(look, []).append(account)

    def drop(self, account: str) -> None:
        """Note that `account` has no name."""
        for look in self._looks.pop(account, ()):
            self._accounts[look].remove(account)
            if not self._accounts[look]:
                del self._accounts[look]

    def _is_kept_back(self, shown: tuple[str, ...]) -> bool:
        return any(look in self._reserved or look.startswith(_GUEST_LOOKS) for look in shown)
