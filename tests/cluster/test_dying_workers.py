"""A worker that dies in the midst of a change leaves nothing broken for those that live on."""

from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from typing import Any

import pytest

from builders.engines import Engines, empty
from builders.natsstores import nats_store
from builders.steps_of_work import Dying
from builders.stores import A, ended
from sunglare_protocol.ids import MatchId
from sunglare_server.cluster.store.store import NatsStore
from sunglare_server.ports.store import Account, TakenError, hash_of

pytestmark = pytest.mark.needs_nats

STEPS_MOST = 400

Case = Callable[[NatsStore, NatsStore, int], Awaitable[bool]]


@pytest.fixture
async def stores(node_of_all: Engines) -> AsyncIterator[tuple[NatsStore, NatsStore]]:
    """Give a test the stores of two workers, on an engine that keeps nothing yet."""
    await empty(node_of_all)
    async with nats_store(node_of_all) as one, nats_store(node_of_all) as other:
        yield one, other


def person(number: int, name: str, kind: str = "a") -> Account:
    return Account(
        id=f"{kind}{number:x}".rjust(32, "0"),
        token_hash=hash_of(f"token {kind} {number}"),
        name=name,
        name_key=name.casefold(),
    )


def match_of(number: int) -> MatchId:
    return MatchId(str(number).translate(str.maketrans("0123456789", "abcdefghij")).rjust(26, "z"))


async def takes(store: NatsStore, account: Account) -> bool:
    """Return whether somebody else gets a name."""
    try:
        await store.add_account(account)
    except TakenError:
        return False
    return True


async def is_whole(store: NatsStore, account: Account) -> bool:
    """Return whether an account is there; it must be there in every way, or in none."""
    found = await store.account_of(account.token_hash)
    assert found in (None, account)
    named = await store.name_taken(account.name_key)
    assert named == (None if found is None else account.id)
    return found is not None


async def dies(store: NatsStore, work: Coroutine[Any, Any, Any], steps: int) -> bool:
    """Let a worker die after some steps of its work; return whether that was at its end.

    What it had sent by then is stored or refused when this returns: it is in each bucket before
    what follows it on the same line.
    """
    is_done = await Dying(work, steps)
    later, match = person(steps, f"Later {steps}", "f"), MatchId(f"later{steps}")
    await store.add_account(later)
    await store.give_ticket(hash_of(f"later {steps}"), match, A, 1_000)
    await store.put_room(match, b"later")
    await store.end_room(match, b"later", ended(1))
    return is_done


async def adding(dying: NatsStore, living: NatsStore, steps: int) -> bool:
    new = person(steps, f"Ann {steps}")
    is_done = await dies(dying, dying.add_account(new), steps)
    was_there = await is_whole(living, new)
    assert was_there or not is_done
    assert await takes(living, person(steps, new.name, "b")) != was_there
    assert await living.account_of(new.token_hash) == (new if was_there else None)
    return is_done


async def renaming(dying: NatsStore, living: NatsStore, steps: int) -> bool:
    old = person(steps, f"Ann {steps}")
    await living.add_account(old)
    is_done = await dies(dying, dying.rename(old.id, f"Zoe {steps}", f"zoe {steps}"), steps)
    found = await living.account_of(old.token_hash)
    assert found is not None
    has_new = found.name_key != old.name_key
    assert has_new or not is_done
    assert await living.name_taken(found.name_key) == old.id
    free = old.name if has_new else f"Zoe {steps}"
    assert await living.name_taken(free.casefold()) is None
    assert await takes(living, person(steps, free, "b"))
    assert not await takes(living, person(steps, found.name, "c"))
    assert await living.rename(old.id, found.name.upper(), found.name_key)
    return is_done


async def forgetting(dying: NatsStore, living: NatsStore, steps: int) -> bool:
    old = person(steps, f"Ann {steps}")
    await living.add_account(old)
    await living.put_webhook(old.id, "https://a.example.org/")
    is_done = await dies(dying, dying.forget(old.id), steps)
    was_there = await is_whole(living, old)
    assert not (was_there and is_done)
    assert (await living.webhook(old.id) is not None) == was_there
    await living.forget(old.id)
    assert not await is_whole(living, old)
    assert await takes(living, person(steps, old.name, "b"))
    return is_done


async def giving(dying: NatsStore, living: NatsStore, steps: int) -> bool:
    text, match = hash_of(f"T {steps}"), match_of(steps)
    is_done = await dies(dying, dying.give_ticket(text, match, A, 1_000), steps)
    held = await living.tickets_of(match, A)
    found = await living.ticket(text)
    assert held == (() if found is None else (found,))
    assert held or not is_done
    if found is None:
        await living.give_ticket(text, match, A, 1_000)
    assert len(await living.tickets_of(match, A)) == 1
    return is_done


async def using(dying: NatsStore, living: NatsStore, steps: int) -> bool:
    match = match_of(steps)
    first, second, third = (hash_of(f"{text} {steps}") for text in ("first", "second", "third"))
    await living.give_ticket(first, match, A, 1_000)
    assert await living.use_ticket(first, second) is not None
    is_done = await dies(dying, dying.use_ticket(second, third), steps)
    held = [ticket.hash for ticket in await living.tickets_of(match, A)]
    assert held == ([second, third] if third in held else [first, second])
    assert third in held or not is_done
    for text in (first, second, third):
        assert (await living.ticket(text) is not None) == (text in held)
    assert await living.use_ticket(second, hash_of(f"again {steps}")) is not None
    return is_done


async def ending(dying: NatsStore, living: NatsStore, steps: int) -> bool:
    match, text = match_of(steps), hash_of(f"T {steps}")
    await living.put_room(match, b"room")
    await living.give_ticket(text, match, A, 10**12)
    is_done = await dies(dying, dying.end_room(match, b"over", ended(7)), steps)
    is_over = await living.room(match) == b"over"
    assert is_over or not is_done
    if not is_over:
        assert await living.room(match) == b"room"
        await living.end_room(match, b"over", ended(7))
    await found_over(living, match)
    # Whoever has listed the rooms has ended the rest.
    found = await living.ticket(text)
    assert found is not None
    assert found.expires_ms == ended(7).expires_ms
    assert await living.room_revision(match) == 0
    return is_done


async def found_over(store: NatsStore, match: MatchId) -> None:
    """Wait until a worker has heard that a match is over, which then goes on nowhere."""
    heard = [match]
    while heard:
        live = [one for one, _ in await store.rooms()]
        over = [kept.place.match for kept in await store.over(None, 2 * STEPS_MOST)]
        assert (match in over) or (match in live)
        heard = [one for one in live if one == match]
        assert not (heard and match in over)


async def dropping(dying: NatsStore, living: NatsStore, steps: int) -> bool:
    match, text = match_of(steps), hash_of(f"T {steps}")
    await living.put_room(match, b"room")
    await living.give_ticket(text, match, A, 1_000)
    is_done = await dies(dying, dying.drop_room(match), steps)
    was_there = await living.room(match) is not None
    assert not (was_there and is_done)
    assert not was_there or await living.ticket(text) is not None
    await living.drop_room(match)
    assert await living.room(match) is None
    assert await living.ticket(text) is None
    return is_done


@pytest.mark.parametrize(
    "case",
    [adding, renaming, forgetting, giving, using, ending, dropping],
    ids=lambda case: case.__name__,
)
async def test_a_worker_may_die_wherever_it_waits(
    stores: tuple[NatsStore, NatsStore], case: Case
) -> None:
    dying, living = stores
    for steps in range(STEPS_MOST):
        if await case(dying, living, steps):
            assert steps
            return
    raise AssertionError("it never came to its end")
