"""Other names for accounts whose names offend, and names that are barred."""

from typing import assert_never, final

from sunglare_protocol.refusals import Rejected
from sunglare_protocol.text import NAME_MOST, clean, name_key
from sunglare_server.lobby.lobby import Lobby
from sunglare_server.ops.control.requests import BarName, Rename, RequestError
from sunglare_server.ops.moderation.account_lookup import account_called
from sunglare_server.ops.moderation.sanctions import reason_of
from sunglare_server.ports.sanctions import SanctionKind


@final
class Naming:
    """Names for one server."""

    def __init__(self, lobby: Lobby) -> None:
        """Change them where the `lobby` knows them."""
        self._lobby = lobby
        self._policy = lobby.policy
        self._accounts = lobby.accounts

    async def perform(self, request: Rename | BarName) -> str:
        """Do what is asked and say what was done; raise `RequestError` if that can't be."""
        match request:
            case Rename():
                return await self._rename(request)
            case BarName():
                return await self._bar(request)
            case _:
                assert_never(request)

    async def _rename(self, request: Rename) -> str:
        reason = reason_of(request.reason)
        account = await account_called(self._lobby, request.name)
        name = (await self._accounts.names((account,)))[account]
        given = await self._accounts.renamed(account, request.new)
        if isinstance(given, Rejected):
            raise RequestError(f"{request.new!r}: {given.text}")
        if request.free:
            return f"{name} is {given} now; the old name is free"
        await self._policy.keep(SanctionKind.NAME, name, reason)
        return f"{name} is {given} now; nobody may be called {name} any more"

    async def _bar(self, request: BarName) -> str:
        name = clean(request.name, NAME_MOST)
        if name is None:
            raise RequestError(f"a name is one line of 1 to {NAME_MOST} plain characters")
        policy = self._policy
        if request.on:
            changed = await policy.keep(SanctionKind.NAME, name, reason_of(request.reason))
            done = f"nobody may be called {name}"
        else:
            known = [one for one in policy.barred_names if name_key(one) == name_key(name)]
            changed = any([await policy.lift(SanctionKind.NAME, one) for one in known])
            done = f"{name} is a name like any other"
        return f"{done}{'' if changed else ', as before'}"
