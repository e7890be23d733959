"""People in the engine: one value for each account, and keys that keep names and tokens unique.

Theory of operation. The truth of an account is one value, `id.<account>`: its name, the hash of
its token, and the address of its webhook. Two more keys are claims: the hash of a name or of a
token, with the id of the account that claims it. A lookup of a name goes from the claim to
the account, and believes the claim only if the account says the same. So an account is there with
the one change that stores its value, is renamed with one, and is gone with one.

A process that wants a name first writes the claim, as a change of that key, and then the account.
A claim of an account that does not say the same is void: that of a process which died in between,
or of an account that has gone. Anybody may take a void claim over, but the one who made it may be
alive still. So a process that takes it over first changes the other account, at the revision at
which it did not have the name: it is written again as it is, or, if it was never there, marked as
gone, and then the other can't finish. Then the claim is changed at the revision at which it was
seen. The other, whose write of the account then fails, begins again, and writes its claim again
before its account; so either the claim or the account has moved for one of the two. Two accounts
never say the same name.

What a process that dies may leave, and what heals it:
- a void claim: the next process that wants it takes it over, and the sweep removes it;
- an account that is going (its value replaced by the keys of its claims, and no name in it): asked
  to be forgotten again, or swept, it goes.
A claim that is taken over by another process that asks for the same name at the same time is no
fault: one of the two gets the name, the other learns that it is taken.
"""

from collections.abc import Callable, Mapping
from typing import Final, final

import msgspec
import structlog
from msgspec.structs import replace

from sunglare_server.cluster.client.keyed_locks import Queues
from sunglare_server.cluster.client.keys import hash_key, id_key, is_id
from sunglare_server.cluster.client.kv_bucket import KeyState, KeyValues, kind_of
from sunglare_server.cluster.client.kv_cache import Mirror
from sunglare_server.cluster.client.watchers import Watchers
from sunglare_server.ports.store import Account, StoreError, TakenError

NameWatcher = Callable[[str, str | None], None]
"""Hears that an account has this name now; None: it has been forgotten."""

TokenWatcher = Callable[[str, str], None]
"""Hears that an account is known by the token with this hash since it was renewed."""

IDS: Final = "id"
"""The keys of accounts begin with this; all others are claims."""


@final
class Person(msgspec.Struct, frozen=True, kw_only=True, tag="person"):
    """An account as it is stored, with the address of its webhook.

    Its token `is_renewed` if it is not the first one: of those alone workers hear.
    """

    account: Account
    webhook: str | None = None
    is_renewed: bool = False

    @property
    def claims(self) -> tuple[str, str]:
        """Return the keys of its name and its token."""
        return _name_key(self.account.name_key), _token_key(self.account.token_hash)


@final
class Going(msgspec.Struct, frozen=True, kw_only=True, tag="going"):
    """An account that is being forgotten: the claims that are still to be removed."""

    claims: tuple[str, ...]


_decoder: msgspec.msgpack.Decoder[Person | Going] = msgspec.msgpack.Decoder(Person | Going)


@final
class NatsAccounts:
    """The people of a cluster; each call raises StoreError when the engine refuses."""

    def __init__(self, bucket: KeyValues) -> None:
        """Keep them in a bucket."""
        self._bucket = bucket
        self._names: dict[str, str] = {}
        self._renewed: dict[str, str] = {}
        self._watchers: Watchers[str, str | None] = Watchers()
        self._token_watchers: Watchers[str, str] = Watchers()
        self._mirror = Mirror(bucket, self._take, IDS)
        self._queues = Queues()

    def start(self) -> None:
        """Follow the names from now on."""
        self._mirror.start()

    async def close(self) -> None:
        """Follow them no longer."""
        await self._mirror.close()

    async def of_token(self, token_hash: str) -> Account | None:
        """Return who holds the token with this hash."""
        return await self._claimed(_token_key(token_hash))

    async def of_name(self, name_key: str) -> str | None:
        """Return the id of the account that has this name, if anybody has."""
        found = await self._claimed(_name_key(name_key))
        return None if found is None else found.id

    async def token_hash(self, account: str) -> str | None:
        """Return the hash of an account's token; None for one that there is not."""
        found = await self._person(account)
        return None if found is None else found[0].account.token_hash

    async def add(self, account: Account) -> None:
        """Add an account; TakenError if the name, the token or the id is taken."""
        person = Person(account=account)
        key = id_key(IDS, account.id)
        async with self._queues.turn(person.claims[0]):
            for number, claim in enumerate(person.claims):
                if not await self._claim(claim, account.id):
                    await self._unclaim(person.claims[:number], account.id)
                    raise TakenError("the name or the token is taken")
            # An id that was ever there, or was marked in the takeover of a claim, is taken.
            if await self._bucket.change(key, msgspec.msgpack.encode(person), 0) is None:
                await self._unclaim(person.claims, account.id)
                raise TakenError("the id is taken, or somebody else has asked for the name")

    async def rename(self, account: str, name: str, name_key: str) -> bool:
        """Return whether the account has the name now: it may be taken, or the account gone."""

        def renamed(person: Person) -> Person:
            return replace(person, account=replace(person.account, name=name, name_key=name_key))

        return await self._change(account, _name_key(name_key), renamed)

    async def renew(self, account: str, token_hash: str) -> bool:
        """Return whether the account is known by the token with this hash alone from now on.

        All watchers of this process have been called by then.
        """

        def renewed(person: Person) -> Person:
            known = replace(person.account, token_hash=token_hash)
            return replace(person, account=known, is_renewed=True)

        is_renewed = await self._change(account, _token_key(token_hash), renewed)
        if is_renewed:
            await self._mirror.reach()
        return is_renewed

    async def _change(self, account: str, claim: str, change: Callable[[Person], Person]) -> bool:
        """Return whether the account was changed: another may have the claim, or it is gone."""
        may_take_over = True
        async with self._queues.turn(claim):
            while (found := await self._person(account)) is not None:
                person, revision = found
                has_claim = claim in person.claims or await self._claim(
                    claim, account, may_take_over=may_take_over
                )
                if not has_claim:
                    return False
                changed = change(person)
                if await self._store(changed, revision):
                    void = tuple([one for one in person.claims if one not in changed.claims])
                    await self._unclaim(void, account)
                    return True
                # Two who took a claim over from each other again and again would never end.
                may_take_over = False
            await self._unclaim((claim,), account)
            return False

    async def forget(self, account: str) -> None:
        """Erase an account, and then the claims to its name and token."""
        if not is_id(account):
            return
        key = id_key(IDS, account)
        while (found := await self._bucket.look(key)).value is not None:
            held = _unpacked(found.value)
            if isinstance(held, Person):
                going = msgspec.msgpack.encode(Going(claims=held.claims))
                await self._bucket.change(key, going, found.revision)
                continue
            for claim in held.claims:
                await self._remove_void(claim, account)
            await self._bucket.drop(key, found.revision)

    async def webhook(self, account: str) -> str | None:
        """Return the address of an account, if it has one."""
        found = await self._person(account)
        return None if found is None else found[0].webhook

    async def put_webhook(self, account: str, url: str | None) -> None:
        """Keep the address of an account; an unknown account has none."""
        while (found := await self._person(account)) is not None:
            person, revision = found
            if person.webhook == url or await self._store(replace(person, webhook=url), revision):
                return

    async def solved(self, account: str) -> tuple[str, ...]:
        """Return the names of the lessons that an account has solved; none of an unknown one."""
        found = await self._person(account)
        return () if found is None else found[0].account.solved

    async def add_solved(self, account: str, lesson: str) -> None:
        """Keep that an account has solved a lesson, once; nothing of an unknown account."""
        while (found := await self._person(account)) is not None:
            person, revision = found
            known = person.account
            if lesson in known.solved:
                return
            more = replace(known, solved=(*known.solved, lesson))
            if await self._store(replace(person, account=more), revision):
                return

    async def names(self) -> Mapping[str, str]:
        """Return the names of all people, by id."""
        await self._mirror.reach()
        return self._names

    async def watch(self, watcher: NameWatcher) -> Callable[[], None]:
        """Report all names, then each change, until the result is called."""
        for account, name in (await self.names()).items():
            watcher(account, name)
        return self._watchers.add(watcher)

    async def watch_renewals(self, watcher: TokenWatcher) -> Callable[[], None]:
        """Report all tokens that were renewed, then each, until the result is called.

        A token may be reported again.
        """
        await self._mirror.reach()
        for account, token_hash in self._renewed.items():
            watcher(account, token_hash)
        return self._token_watchers.add(watcher)

    async def heal(self, stored: KeyState) -> None:
        """Remove what a process that died has left in a key: a void claim, an account that goes.

        A live process may be about to make use of such a claim; then it has to begin again.
        """
        if stored.value is None:
            return
        if _is_account(stored.key):
            if isinstance(_unpacked(stored.value), Going):
                await self.forget(stored.key.removeprefix(f"{IDS}."))
            return
        await self._remove_void(stored.key, stored.value.decode())

    async def _claimed(self, claim: str) -> Account | None:
        """Return who has what is claimed by a key."""
        found = await self._bucket.look(claim)
        if found.value is None:
            return None
        claimant = await self._person(found.value.decode())
        is_valid = claimant is not None and claim in claimant[0].claims
        return claimant[0].account if claimant is not None and is_valid else None

    async def _claim(self, claim: str, account: str, *, may_take_over: bool = True) -> bool:
        """Return whether the account claims it now, by a change that is made here."""
        blob, revision = account.encode(), 0
        while await self._bucket.change(claim, blob, revision) is None:
            found = await self._bucket.look(claim)
            if found.value not in (None, blob):
                holder = (found.value or b"").decode()
                if not may_take_over or not await self._is_void(claim, holder):
                    return False
            revision = found.revision
        return True

    async def _is_void(self, claim: str, account: str) -> bool:
        """Return whether a claim of an account is void; if so the account has moved on."""
        key = id_key(IDS, account)
        while True:
            found = await self._bucket.look(key)
            if found.value is None:
                if found.revision or await self._bucket.drop(key, 0) is not None:
                    return True
                continue
            held = _unpacked(found.value)
            if isinstance(held, Going):
                return True
            if claim in held.claims:
                return False
            if await self._bucket.change(key, found.value, found.revision) is not None:
                return True

    async def _remove_void(self, claim: str, account: str) -> None:
        """Remove a claim of an account if it is void."""
        found = await self._bucket.look(claim)
        if found.value == account.encode() and await self._is_void(claim, account):
            await self._bucket.drop(claim, found.revision)

    async def _unclaim(self, claims: tuple[str, ...], account: str) -> None:
        """Remove claims that have become void; what the engine refuses is left to be swept."""
        try:
            for claim in claims:
                await self._remove_void(claim, account)
        except StoreError as error:
            structlog.get_logger().warning("name_claim_left", why=error.why)

    async def _person(self, account: str) -> tuple[Person, int] | None:
        """Return an account as it is stored, and its revision."""
        if not is_id(account):
            return None
        found = await self._bucket.look(id_key(IDS, account))
        held = None if found.value is None else _unpacked(found.value)
        return (held, found.revision) if isinstance(held, Person) else None

    async def _store(self, person: Person, revision: int) -> bool:
        key = id_key(IDS, person.account.id)
        return await self._bucket.change(key, msgspec.msgpack.encode(person), revision) is not None

    def _take(self, stored: KeyState) -> None:
        account = stored.key.removeprefix(f"{IDS}.")
        held = None if stored.value is None else _unpacked(stored.value)
        name = held.account.name if isinstance(held, Person) else None
        known = self._names.pop(account, None)
        if name is not None:
            self._names[account] = name
        if name != known:
            self._watchers.tell(account, name)
        self._renewed.pop(account, None)
        if isinstance(held, Person) and held.is_renewed:
            self._renewed[account] = held.account.token_hash
            self._token_watchers.tell(account, held.account.token_hash)


def left_of_accounts(told: tuple[KeyState, ...]) -> list[KeyState]:
    """Return what looks left in the bucket of accounts: void claims, and accounts that go."""
    accounts = [stored for stored in told if _is_account(stored.key) and stored.value is not None]
    held = {stored.key: _unpacked(stored.value or b"") for stored in accounts}
    people = [one for one in held.values() if isinstance(one, Person)]
    valid = frozenset([claim for person in people for claim in person.claims])
    claims = [
        stored for stored in told if not _is_account(stored.key) and stored.value is not None
    ]
    return [
        *[stored for stored in accounts if isinstance(held[stored.key], Going)],
        *[stored for stored in claims if stored.key not in valid],
    ]


def _is_account(key: str) -> bool:
    return kind_of(key) == IDS


def _unpacked(value: bytes) -> Person | Going:
    try:
        return _decoder.decode(value)
    except msgspec.DecodeError as error:
        raise StoreError(f"an account can't be read: {error}") from error


def _name_key(name_key: str) -> str:
    return hash_key("name", name_key)


def _token_key(token_hash: str) -> str:
    return hash_key("token", token_hash)
