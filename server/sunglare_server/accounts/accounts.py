"""Accounts: names, tokens and authentication at `hello`."""

from collections.abc import Callable, Iterable
from typing import final

import msgspec

from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.text import composed, name_key
from sunglare_server.accounts.names import AT, Names, guest_name, is_guests
from sunglare_server.accounts.role_names import QUOTE, SOMEONE, shown_name
from sunglare_server.base.entropy import Entropy, ticket_text
from sunglare_server.ports.store import Account, Store, StoreError, TakenError, hash_of

_ACCOUNT_BYTES = 16
_GUEST_BYTES = 4


Renewed = Callable[[str], object]
"""Hears that the token of an account, by its id, was replaced: what showed the old one ends."""

Barred = Callable[[str], Rejected | None]
"""Returns why an account is not let in, by its id; None if it is."""


def _open(_: str) -> None:
    return None


@final
class Caller(msgspec.Struct, frozen=True):
    """The account at the other end of a connection, and the token to show next time.

    `is_bot` is what it has said: that a program plays there. Its `mark` is what an access log
    names it by; a gateway has it from the worker that knows the key.
    """

    account: str
    name: str
    token: str
    is_bot: bool = False
    mark: str = ""


@final
class Accounts:
    """The register of people, kept in the store; tokens are kept as hashes only."""

    def __init__(self, store: Store, entropy: Entropy, bots: Iterable[str]) -> None:
        """Use `store`, draw tokens from `entropy`, keep back the names of `bots`."""
        self._store = store
        self._entropy = entropy
        self._names = Names(bots)
        self._renewed: dict[str, str] = {}
        self._on_renewed: list[Renewed] = []

    async def load(self) -> None:
        """Learn the names that are taken; whatever they are like, they stay good."""
        for account, name in await self._store.every_name():
            self._names.take(account, name)

    def heard(self, account: str, name: str | None) -> None:
        """Learn a name that another server has given or forgotten."""
        if name is None:
            self._names.drop(account)
        else:
            self._names.take(account, name)

    def keep_back(self, bots: Iterable[str]) -> None:
        """Reserve the names of these bots from now on as well."""
        self._names.keep_back(bots)

    def bar_by(self, barred: Callable[[], Iterable[str]]) -> None:
        """Refuse the names that `barred` returns, each time that one is chosen."""
        self._names.barred = barred

    async def renamed(self, account: str, name: str | None) -> str | Rejected:
        """Give an account another name, a guest's without one; return it, or why it can't be."""
        wanted = self._guest() if name is None else self._names.fit(name, account)
        if isinstance(wanted, Rejected):
            return wanted
        known = await self.names((account,))
        if not await self._rename(account, known[account], wanted):
            return Rejected(code=Code.NAME_TAKEN, at=AT)
        return wanted

    async def hello(
        self, token: str | None, name: str | None, barred: Barred = _open
    ) -> Caller | Rejected:
        """Return who says hello: the holder of `token`, or a new account.

        An account that is `barred` gets no other name either.
        """
        if token is None:
            return await self._new(name)
        known = await self._store.account_of(hash_of(token))
        if known is None:
            return Rejected(code=Code.HELLO_TOKEN, at="$.token")
        if (refusal := barred(known.id)) is not None:
            return refusal
        called = known.name
        if name is not None and composed(name) != known.name:
            wanted = self._names.fit(name, known.id)
            if isinstance(wanted, Rejected):
                return wanted
            if not await self._rename(known.id, known.name, wanted):
                return Rejected(code=Code.NAME_TAKEN, at=AT)
            called = wanted
        if self._renewed.get(known.id, hash_of(token)) != hash_of(token):
            # Another one was chosen while this was looked up.
            return Rejected(code=Code.HELLO_TOKEN, at="$.token")
        return Caller(known.id, called, token)

    async def renew(self, account: str, token_hash: str) -> Rejected | None:
        """Have an account known by the token with this hash alone; return why it can't be.

        It is stored when this returns, and all have heard of it. The same once more changes
        nothing, so a caller without an answer may ask again.
        """
        if not await self._store.renew(account, token_hash):
            return Rejected(code=Code.HELLO_TOKEN, at="$.token_hash")
        self.heard_renewed(account, token_hash)
        return None

    def when_renewed(self, hear: Renewed) -> None:
        """Call `hear` with each account whose token was replaced, here or at another server."""
        self._on_renewed.append(hear)

    def heard_renewed(self, account: str, token_hash: str) -> None:
        """Learn that an account is known by another token; of one that is known nothing comes."""
        if self._renewed.get(account) != token_hash:
            self._renewed[account] = token_hash
            for hear in self._on_renewed:
                hear(account)

    async def _new(self, name: str | None) -> Caller | Rejected:
        wanted = None if name is None else self._names.fit(name, None)
        return wanted if isinstance(wanted, Rejected) else await self.enrol(wanted)

    async def enrol(self, name: str | None) -> Caller | Rejected:
        """Add an account under `name`, which is fit, or under a guest's name that is free."""
        token = ticket_text(self._entropy)
        account = Account(
            id=self._entropy.token(_ACCOUNT_BYTES).hex(),
            token_hash=hash_of(token),
            name=name or self._guest(),
            name_key="",
        )
        account = msgspec.structs.replace(account, name_key=name_key(account.name))
        # Before it is stored: an account that asks for one like it meanwhile is refused.
        self._names.take(account.id, account.name)
        try:
            await self._store.add_account(account)
        except StoreError as error:
            self._names.drop(account.id)
            if isinstance(error, TakenError):
                return Rejected(code=Code.NAME_TAKEN, at=AT)
            raise
        return Caller(account.id, account.name, token)

    async def bring(self, account: Account) -> bool:
        """Add an account of another server; return whether it is known here.

        An account whose name is taken here, or looks like one that is, is not.
        """
        if account.id in await self._store.names((account.id,)):
            return True
        is_chosen = not is_guests(account.name)
        if is_chosen and isinstance(self._names.fit(account.name, None), Rejected):
            return False
        self._names.take(account.id, account.name)
        try:
            await self._store.add_account(account)
        except StoreError as error:
            self._names.drop(account.id)
            if isinstance(error, TakenError):
                return False
            raise
        return True

    async def _rename(self, account: str, name: str, wanted: str) -> bool:
        """Give an account that has a name another one; return whether it has it now."""
        self._names.take(account, wanted)
        is_done = False
        try:
            is_done = await self._store.rename(account, wanted, name_key(wanted))
        finally:
            if not is_done:
                self._names.take(account, name)
        return is_done

    async def solved(self, account: str) -> tuple[str, ...]:
        """Return the names of the lessons that `account` has solved."""
        return await self._store.solved(account)

    async def add_solved(self, account: str, lesson: str) -> None:
        """Keep that `account` has solved a lesson; that it has done so before changes nothing."""
        await self._store.add_solved(account, lesson)

    async def forget(self, account: str) -> None:
        """Erase name, token and solved lessons of `account`."""
        await self._store.forget(account)
        self._names.drop(account)
        self._renewed.pop(account, None)

    async def called(self, name: str) -> str | None:
        """Return the account that has this name, or one that people would take for it.

        A name in the quotes in which `shown_names` has it is found too.
        """
        found = await self._store.name_taken(name_key(name))
        bare = name.removeprefix(QUOTE).removesuffix(QUOTE)
        return found if found or bare == name else await self._store.name_taken(name_key(bare))

    async def names(self, accounts: tuple[str, ...]) -> dict[str, str]:
        """Return the names of `accounts`; one that is not known any more is "someone"."""
        known = await self._store.names(accounts) if accounts else {}
        return {account: known.get(account, SOMEONE) for account in accounts}

    async def shown_names(self, accounts: tuple[str, ...]) -> dict[str, str]:
        """Return the names of `accounts` as players see them; those that read as roles in quotes.

        An account that is not known any more is "someone".
        """
        known = await self._store.names(accounts) if accounts else {}
        return {
            account: shown_name(known[account]) if account in known else SOMEONE
            for account in accounts
        }

    def _guest(self) -> str:
        return guest_name(self._entropy.token(_GUEST_BYTES))
