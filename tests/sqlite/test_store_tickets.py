"""The tickets of seats: what each opens, and what ends it."""

import asyncio
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.stores import (
    ALPHA,
    BETA,
    KINDS,
    A,
    B,
    ended,
    give,
    obeys_the_model,
    storage_of,
    ticket,
)
from simulation.disk import Disk
from simulation.diskratings import disk_storage
from sunglare_server.ports.store import Store, TakenError, hash_of
from sunglare_server.sqlite.database import Database
from sunglare_server.sqlite.store import SPARE_TICKETS, SqliteStore


async def test_a_ticket_is_found_by_its_hash(store: Store) -> None:
    await give(store, "T1")
    assert await store.ticket(hash_of("T1")) == ticket("T1")
    assert await store.ticket(hash_of("T2")) is None
    assert await store.ticket("T1") is None


async def test_a_ticket_is_given_once(store: Store) -> None:
    await give(store, "T1")
    with pytest.raises(TakenError):
        await give(store, "T1", side=B)
    assert await store.tickets_of(ALPHA, A) == (ticket("T1"),)
    assert await store.tickets_of(ALPHA, B) == ()


async def test_a_ticket_that_is_given_is_the_newest_of_its_seat(store: Store) -> None:
    await asyncio.gather(*(give(store, text) for text in ("T1", "T2", "T3")))
    await give(store, "T4", side=B)
    kept = [ticket(text, session=session) for session, text in enumerate(("T1", "T2", "T3"), 1)]
    assert await store.tickets_of(ALPHA, A) == tuple(kept)
    assert await store.tickets_of(ALPHA, B) == (ticket("T4", side=B),)


async def test_using_a_ticket_gives_the_next_and_leaves_the_used_one_good(store: Store) -> None:
    await give(store, "T1")
    assert await store.use_ticket(hash_of("T1"), hash_of("T2")) == ticket("T2", session=2)
    assert await store.tickets_of(ALPHA, A) == (ticket("T1"), ticket("T2", session=2))


async def test_the_first_use_of_the_next_ticket_ends_the_older_ones(store: Store) -> None:
    await give(store, "T1")
    await store.use_ticket(hash_of("T1"), hash_of("T2"))
    assert await store.use_ticket(hash_of("T2"), hash_of("T3")) == ticket("T3", session=3)
    assert await store.ticket(hash_of("T1")) is None
    assert await store.use_ticket(hash_of("T1"), hash_of("T4")) is None
    assert await store.tickets_of(ALPHA, A) == (ticket("T2", session=2), ticket("T3", session=3))


@pytest.mark.parametrize("used", ["left", "right"])
async def test_the_first_use_of_a_ticket_ends_those_given_for_the_same_one(
    store: Store, used: str
) -> None:
    await give(store, "T1")
    for text in ("left", "right"):
        await store.use_ticket(hash_of("T1"), hash_of(text))
    assert await store.use_ticket(hash_of(used), hash_of("T4")) is not None
    other = "right" if used == "left" else "left"
    for spent in ("T1", other):
        assert await store.use_ticket(hash_of(spent), hash_of("T5")) is None
    assert [held.hash for held in await store.tickets_of(ALPHA, A)] == [
        hash_of(used),
        hash_of("T4"),
    ]


async def test_lost_answers_lock_nobody_out(store: Store) -> None:
    await give(store, "T1")
    for lost in range(30):
        assert await store.use_ticket(hash_of("T1"), hash_of(f"lost {lost}")) is not None
    last = await store.use_ticket(hash_of("T1"), hash_of("arrived"))
    assert last == ticket("arrived", session=32)
    assert len(await store.tickets_of(ALPHA, A)) == SPARE_TICKETS + 1
    assert await store.use_ticket(hash_of("arrived"), hash_of("next")) is not None
    assert [kept.session for kept in await store.tickets_of(ALPHA, A)] == [32, 33]


async def test_a_seat_keeps_few_of_the_tickets_that_its_account_is_given(store: Store) -> None:
    await give(store, "T1")
    for number in range(30):
        await give(store, f"given {number}")
    kept = await store.tickets_of(ALPHA, A)
    assert [held.session for held in kept] == [1, *range(32 - SPARE_TICKETS, 32)]


async def test_two_uses_at_once_get_two_sessions(store: Store) -> None:
    await give(store, "T1")
    outcomes = await asyncio.gather(
        store.use_ticket(hash_of("T1"), hash_of("left")),
        store.use_ticket(hash_of("T1"), hash_of("right")),
    )
    assert tuple(outcomes) == (ticket("left", session=2), ticket("right", session=3))


async def test_a_forged_ticket_is_used_in_vain(store: Store) -> None:
    await give(store, "T1")
    assert await store.use_ticket(hash_of("forged"), hash_of("T2")) is None
    assert await store.tickets_of(ALPHA, A) == (ticket("T1"),)


async def test_a_seat_keeps_its_tickets_whatever_others_do(store: Store) -> None:
    await give(store, "T1")
    await give(store, "side B", side=B)
    await give(store, "match b", match=BETA)
    for step in range(1, 4):
        await store.use_ticket(hash_of(f"T{step}"), hash_of(f"T{step + 1}"))
    assert await store.tickets_of(ALPHA, B) == (ticket("side B", side=B),)
    assert await store.tickets_of(BETA, A) == (ticket("match b", match=BETA),)


async def test_tickets_end_when_their_match_says(store: Store) -> None:
    await give(store, "T1")
    await give(store, "side B", side=B)
    await give(store, "match b", match=BETA)
    await store.end_room(ALPHA, b"over", ended(1_000))
    found = await store.ticket(hash_of("side B"))
    assert found is not None
    assert found.expires_ms == 5_000
    await store.drop_tickets(999)
    assert await store.ticket(hash_of("match b")) is not None
    await store.drop_tickets(1_000)
    assert await store.ticket(hash_of("match b")) is None


@pytest.mark.parametrize("kind", KINDS)
async def test_no_ticket_of_a_match_that_goes_on_is_dropped(path: Path, kind: str) -> None:
    journal, store, *_ = await storage_of(kind, path)
    await store.put_room(ALPHA, b"room")
    await give(store, "T1")
    await store.drop_tickets(10**9)
    assert await store.tickets_of(ALPHA, A) == (ticket("T1"),)
    await journal.append(ALPHA, 1, (b"one",))
    await journal.finish(ALPHA)
    await store.drop_tickets(999)
    assert await store.tickets_of(ALPHA, A) == (ticket("T1"),)
    await store.drop_tickets(1_000)
    assert await store.tickets_of(ALPHA, A) == ()
    await journal.close()


async def test_the_tickets_of_a_room_go_with_it(store: Store) -> None:
    await store.put_room(ALPHA, b"room")
    await give(store, "T1")
    await give(store, "match b", match=BETA)
    await store.drop_room(ALPHA)
    assert await store.tickets_of(ALPHA, A) == ()
    assert await store.tickets_of(BETA, A) == (ticket("match b", match=BETA),)


@given(uses=st.lists(st.integers(1, SPARE_TICKETS), max_size=SPARE_TICKETS - 1))
def test_a_ticket_is_good_until_another_one_was_used_first(
    tmp_path_factory: pytest.TempPathFactory, uses: list[int]
) -> None:
    async def compare() -> None:
        database = await Database.open(tmp_path_factory.mktemp("seat") / "sunglare.db")
        disk = await disk_storage(Disk(Random(0)))
        for store in (SqliteStore(database), disk.store):
            await obeys_the_model(store, uses)
        await database.close()

    asyncio.run(compare())
