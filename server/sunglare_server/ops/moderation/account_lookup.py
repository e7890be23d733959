"""Finds the account that the operator means."""

import re
from typing import Final

from sunglare_server.accounts.pseudonyms import DAYS_KEPT, MARK_BYTES
from sunglare_server.lobby.lobby import Lobby
from sunglare_server.ops.control.answers import OwnerRow
from sunglare_server.ops.control.requests import RequestError

# No name is as long.
_ID: Final = re.compile(r"[0-9a-f]{32}")
_MARK: Final = re.compile(f"[0-9a-f]{{{2 * MARK_BYTES}}}")


async def account_called(lobby: Lobby, name: str) -> str:
    """Return the account of this name, or one that people would take for it, or of this id.

    Raise `RequestError` if no account is called so; whether there is an account of an id is not
    asked.
    """
    if _ID.fullmatch(name):
        return name
    account = await lobby.accounts.called(name)
    if account is None:
        raise RequestError(f"no account is called {name!r}")
    return account


async def owner_of(lobby: Lobby, mark: str) -> OwnerRow:
    """Return whose a mark of the access log is; raise `RequestError` if no account has it."""
    mark = mark.lower()
    if not _MARK.fullmatch(mark):
        digits = 2 * MARK_BYTES
        raise RequestError(f"{mark!r} is no mark: one of the access log has {digits} hex digits")
    account = await lobby.marks.whose(mark)
    if account is None:
        raise RequestError(
            f"no account of this server has had the mark {mark!r} in the last {DAYS_KEPT} days"
        )
    names = await lobby.accounts.names((account,))
    return OwnerRow(mark=mark, account=account, name=names[account])


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number of things in words, as in `1 seat` or `2 matches`."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"
