"""People: names, tokens and who somebody is when he says hello."""

from typing import final

import msgspec

from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.text import NAME_MOST, clean, name_key
from sunglare_server.host.entropy import Entropy, ticket_text
from sunglare_server.host.store import Person, Store, TakenError, hash_of

SOMEONE = "someone"
"""What matches show of a person who has asked to be forgotten."""

_PERSON_BYTES = 16
_GUEST_LETTERS = 4


@final
class Caller(msgspec.Struct, frozen=True):
    """Who is at the other end of a connection, and the token to show next time."""

    person: str
    name: str
    token: str


@final
class People:
    """The register of people, kept in the store; tokens are kept as hashes only."""

    def __init__(self, store: Store, entropy: Entropy) -> None:
        """Use `store` and draw tokens from `entropy`."""
        self._store = store
        self._entropy = entropy

    async def hello(self, token: str | None, name: str | None) -> Caller | Rejected:
        """Return who says hello: the holder of `token`, or a new person."""
        wanted = None if name is None else clean(name, NAME_MOST)
        if name is not None and (wanted is None or name_key(wanted) == SOMEONE):
            return Rejected(code=Code.TEXT_UNFIT, at="$.name")
        if token is None:
            return await self.enrol(wanted)
        known = await self._store.person_of(hash_of(token))
        if known is None:
            return Rejected(code=Code.HELLO_TOKEN, at="$.token")
        if wanted is None or wanted == known.name:
            return Caller(known.person, known.name, token)
        if not await self._store.rename(known.person, wanted, name_key(wanted)):
            return Rejected(code=Code.NAME_TAKEN, at="$.name")
        return Caller(known.person, wanted, token)

    async def enrol(self, name: str | None) -> Caller | Rejected:
        """Add a person under `name`, or under a guest's name that is free."""
        token = ticket_text(self._entropy)
        person = Person(
            person=self._entropy.token(_PERSON_BYTES).hex(),
            token_hash=hash_of(token),
            name=name or self._guest(),
            name_key="",
        )
        person = msgspec.structs.replace(person, name_key=name_key(person.name))
        try:
            await self._store.add_person(person)
        except TakenError:
            return Rejected(code=Code.NAME_TAKEN, at="$.name")
        return Caller(person.person, person.name, token)

    async def forget(self, person: str) -> None:
        """Erase name and token of `person`."""
        await self._store.forget(person)

    async def called(self, name: str) -> str | None:
        """Return the person who has this name, or one that people would take for it."""
        return await self._store.name_taken(name_key(name))

    async def names(self, persons: tuple[str, ...]) -> dict[str, str]:
        """Return the names of `persons`; whoever is not known any more is "someone"."""
        known = await self._store.names(persons)
        return {person: known.get(person, SOMEONE) for person in persons}

    def _guest(self) -> str:
        return f"guest-{self._entropy.token(_GUEST_LETTERS).hex()}"
