"""Two workers on one engine: each sees what the other does, and no two get what is one's alone."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import AsyncExitStack
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.engines import Engines, empty
from builders.natsstores import nats_store
from builders.steps_of_work import Paced, Plan
from builders.stores import ALPHA, BETA, A, B, ended, give, obeys_the_model
from sunglare_protocol.ids import MatchId
from sunglare_server.cluster.nats_store import NatsStore
from sunglare_server.host.sqlite_store import SPARE_TICKETS
from sunglare_server.host.store import Account, KeptReport, Place, TakenError, hash_of

pytestmark = pytest.mark.needs_nats

ROUNDS = 25

HANGING_S = 60.0


@pytest.fixture
async def stores(node_of_all: Engines) -> AsyncIterator[tuple[NatsStore, NatsStore]]:
    """Give a test the stores of two workers, on an engine that keeps nothing yet."""
    await empty(node_of_all)
    async with nats_store(node_of_all) as one, nats_store(node_of_all) as other:
        yield one, other


def person(number: int, name: str) -> Account:
    return Account(
        id=f"{number:032x}",
        token_hash=hash_of(f"token {number}"),
        name=name,
        name_key=name.casefold(),
    )


async def outcome(work: Coroutine[Any, Any, Any]) -> bool:
    """Return whether something was done; what is taken is not."""
    try:
        return await work is not False
    except TakenError:
        return False


async def until_equal(store: NatsStore, wanted: dict[str, str]) -> None:
    """Wait until a worker has heard of all names."""
    while dict(await store.every_name()) != wanted:  # noqa: ASYNC110 - the engine tells it in time
        await asyncio.sleep(0.01)


# People


async def test_of_two_workers_who_add_a_name_at_once_one_does(
    stores: tuple[NatsStore, NatsStore],
) -> None:
    names = {}
    for number in range(ROUNDS):
        pair = person(2 * number, f"Ann {number}"), person(2 * number + 1, f"Ann {number}")
        added = await asyncio.gather(
            *(outcome(store.add_account(one)) for store, one in zip(stores, pair, strict=True))
        )
        assert sorted(added) == [False, True]
        winner, loser = pair if added[0] else pair[::-1]
        names[winner.id] = winner.name
        for store in stores:
            assert await store.name_taken(winner.name_key) == winner.id
            assert await store.account_of(winner.token_hash) == winner
            assert await store.account_of(loser.token_hash) is None
    for store in stores:
        await until_equal(store, names)


async def test_of_two_workers_who_rename_people_alike_at_once_one_does(
    stores: tuple[NatsStore, NatsStore],
) -> None:
    one, other = person(1, "One"), person(2, "Other")
    for account in (one, other):
        await stores[0].add_account(account)
    for number in range(ROUNDS):
        renamed = await asyncio.gather(
            stores[0].rename(one.id, f"Zoe {number}", f"zoe {number}"),
            stores[1].rename(other.id, f"Zoe {number}", f"zoe {number}"),
        )
        assert sorted(renamed) == [False, True]
        winner = one if renamed[0] else other
        assert await stores[0].name_taken(f"zoe {number}") == winner.id


NAMES = ("x", "y")

KINDS = st.sampled_from(["add", "rename", "forget"])

CHANGES = st.lists(
    st.tuples(KINDS, st.integers(0, 2), st.sampled_from(NAMES)), min_size=2, max_size=3
)

TURNS = st.lists(st.integers(0, 2), max_size=24)


@given(changes=CHANGES, turns=TURNS)
def test_no_two_people_have_one_name_however_changes_of_workers_interleave(
    node_of_all: Engines, changes: list[tuple[str, int, str]], turns: list[int]
) -> None:
    async def play() -> None:
        done = await _interleaved(node_of_all, changes, turns)
        async with nats_store(node_of_all) as witness:
            names = dict(await witness.every_name())
            assert len(set(names.values())) == len(names)
            for name in (*NAMES, "z"):
                holders = [account for account, held in names.items() if held == name]
                assert await witness.name_taken(name) == (holders[0] if holders else None)
            # Nobody renames or forgets those who are added here.
            for number, (kind, _, name) in enumerate(changes):
                if kind == "add":
                    account = person(10 + number, name).id
                    assert names.get(account) == (name if done[number] else None)
            for account in names:
                found = await witness.account_of(hash_of(f"token {int(account, 16)}"))
                assert found is not None
                assert found.id == account

    asyncio.run(play())


@given(kinds=st.permutations(["add", "rename", "add"]), turns=TURNS)
def test_of_those_who_ask_for_a_free_name_one_gets_it_however_they_interleave(
    node_of_all: Engines, kinds: list[str], turns: list[int]
) -> None:
    changes = [(kind, 1, "y") for kind in kinds]
    assert sorted(asyncio.run(_interleaved(node_of_all, changes, turns))) == [False, False, True]


async def _interleaved(
    engines: Engines, changes: list[tuple[str, int, str]], turns: list[int]
) -> list[bool]:
    """Have each of some workers change something, taking turns; return what was done.

    Before, account 0 is called x and account 1 z.
    """
    await empty(engines)
    async with AsyncExitStack() as opened, asyncio.timeout(HANGING_S):
        # One for each: in the queues of a single one they would wait for each other's turn.
        stores = [await opened.enter_async_context(nats_store(engines)) for _ in changes]
        await stores[0].add_account(person(0, "x"))
        await stores[0].add_account(person(1, "z"))
        plan = Plan([turn % len(changes) for turn in turns])
        return await asyncio.gather(
            *(
                _changed(store, change, plan, number)
                for number, (store, change) in enumerate(zip(stores, changes, strict=True))
            )
        )


async def _changed(
    store: NatsStore, change: tuple[str, int, str], plan: Plan, number: int
) -> bool:
    kind, who, name = change
    account = person(who, name)
    if kind == "add":
        work = outcome(store.add_account(person(10 + number, name)))
    elif kind == "rename":
        work = outcome(store.rename(account.id, name, name))
    else:
        work = outcome(store.forget(account.id))
    return bool(await Paced(work, plan, number))


async def test_a_worker_may_hear_of_every_name_that_others_give_and_take(
    stores: tuple[NatsStore, NatsStore],
) -> None:
    told: asyncio.Queue[tuple[str, str | None]] = asyncio.Queue()
    ann, ben = person(1, "Ann"), person(2, "Ben")
    await stores[0].add_account(ann)
    stop = await stores[0].watch_names(lambda account, name: told.put_nowait((account, name)))
    assert told.get_nowait() == (ann.id, "Ann")
    await stores[1].add_account(ben)
    assert await told.get() == (ben.id, "Ben")
    await stores[1].put_webhook(ben.id, "https://b.example.org/")
    await stores[1].rename(ben.id, "Zoe", "zoe")
    assert await told.get() == (ben.id, "Zoe")
    await stores[1].forget(ann.id)
    assert await told.get() == (ann.id, None)
    stop()
    await stores[0].rename(ben.id, "Ben", "ben")
    assert await stores[0].names((ben.id,)) == {ben.id: "Ben"}
    assert told.empty()


async def test_whoever_fails_when_he_is_told_keeps_nobody_else_from_hearing(
    stores: tuple[NatsStore, NatsStore],
) -> None:
    told: asyncio.Queue[MatchId] = asyncio.Queue()

    def fails(match: MatchId, blob: bytes | None, revision: int) -> None:
        raise LookupError(match, blob, revision)

    await stores[0].watch_rooms(fails)
    await stores[0].watch_rooms(lambda match, *_: told.put_nowait(match))
    for match in (ALPHA, BETA):
        await stores[1].put_room(match, b"room")
        assert await told.get() == match


# Rooms


async def test_of_two_workers_who_change_a_room_at_one_revision_one_does(
    stores: tuple[NatsStore, NatsStore],
) -> None:
    revision = await stores[0].put_room_if(ALPHA, b"new", 0)
    with pytest.raises(TakenError):
        await stores[1].put_room_if(ALPHA, b"new too", 0)
    for number in range(ROUNDS):
        blobs = [b"%d by %d" % (number, store) for store in range(2)]
        done = await asyncio.gather(
            *(
                outcome(store.put_room_if(ALPHA, blob, revision))
                for store, blob in zip(stores, blobs, strict=True)
            )
        )
        assert sorted(done) == [False, True]
        kept = await stores[0].room_at_revision(ALPHA)
        assert kept is not None
        assert kept.blob == blobs[done.index(True)]
        assert kept.revision > revision
        revision = await stores[1].room_revision(ALPHA)
        assert revision == kept.revision


async def test_a_room_that_was_dropped_begins_anew(stores: tuple[NatsStore, NatsStore]) -> None:
    first = await stores[0].put_room_if(ALPHA, b"first", 0)
    await stores[1].drop_room(ALPHA)
    assert await stores[0].room_revision(ALPHA) == 0
    with pytest.raises(TakenError):
        await stores[0].put_room_if(ALPHA, b"late", first)
    assert await stores[0].put_room_if(ALPHA, b"second", 0) > first


async def test_a_match_that_is_over_does_not_go_on_again(
    stores: tuple[NatsStore, NatsStore],
) -> None:
    revision = await stores[0].put_room_if(ALPHA, b"room", 0)
    await stores[0].end_room(ALPHA, b"over", ended(7))
    with pytest.raises(TakenError, match="over"):
        await stores[0].put_room(ALPHA, b"late")
    for expected in (0, revision):
        with pytest.raises(TakenError, match="over"):
            await stores[0].put_room_if(ALPHA, b"late", expected)
    assert await stores[1].room(ALPHA) == b"over"


async def test_a_watcher_is_told_of_all_rooms_and_then_of_every_change(
    stores: tuple[NatsStore, NatsStore],
) -> None:
    told: asyncio.Queue[tuple[str, bytes | None]] = asyncio.Queue()
    await stores[0].put_room(ALPHA, b"alpha")
    stop = await stores[0].watch_rooms(lambda match, blob, _: told.put_nowait((match, blob)))
    assert told.get_nowait() == (ALPHA, b"alpha")
    await stores[1].put_room(BETA, b"beta")
    assert await told.get() == (BETA, b"beta")
    await stores[1].put_room(ALPHA, b"alpha again")
    assert await told.get() == (ALPHA, b"alpha again")
    await stores[1].end_room(ALPHA, b"over", ended(7))
    assert await told.get() == (ALPHA, None)
    stop()
    await stores[0].put_room(BETA, b"beta again")
    assert await stores[0].rooms() == ((BETA, b"beta again"),)
    assert told.empty()


async def test_a_worker_finds_in_the_lists_at_once_what_it_has_written(
    stores: tuple[NatsStore, NatsStore],
) -> None:
    for number in range(ROUNDS):
        store, match = stores[number % 2], MatchId(f"m{number}")
        await store.put_room(match, b"live")
        assert (match, b"live") in await store.rooms()
        await store.end_room(match, b"over", ended(number, "ann"))
        assert match not in dict(await store.rooms())
        newest = await store.over(None, 1, "ann")
        assert newest[0] == (Place(number, match), b"over")
        account = person(number, f"Ann {number}")
        await store.add_account(account)
        assert await store.names((account.id,)) == {account.id: account.name}
        await store.forget(account.id)
        assert await store.names((account.id,)) == {}
        report = KeptReport(
            match=match, at_ms=1, account=account.id, side=B, accused=account.id, text="text"
        )
        assert await store.add_report(report, 1)
        assert report in await store.reports()


async def test_all_that_is_over_is_told_page_by_page(
    stores: tuple[NatsStore, NatsStore],
) -> None:
    matches = [MatchId(f"m{number:03}") for number in range(500)]
    for start in range(0, len(matches), 50):
        part = matches[start : start + 50]
        await asyncio.gather(
            *(
                stores[number % 2].end_room(
                    match, match.encode(), ended(number // 3, f"p{number % 2}")
                )
                for number, match in enumerate(part, start)
            )
        )
    whole = sorted(
        [(Place(number // 3, match), match.encode()) for number, match in enumerate(matches)],
        key=lambda kept: (-kept[0].ended_ms, kept[0].match),
    )
    for store in stores:
        while await store.over_count() < len(matches):  # noqa: ASYNC110 - the engine tells it in time
            await asyncio.sleep(0.01)
        for account in (None, "p0", "p1"):
            mine = [kept for kept in whole if account in (None, f"p{int(kept[0].match[1:]) % 2}")]
            assert await _pages(store, account, 70) == mine
    assert await stores[0].over_count(tuple(matches[:3])) == len(matches) - 3


async def _pages(store: NatsStore, account: str | None, most: int) -> list[tuple[Place, bytes]]:
    found: list[tuple[Place, bytes]] = []
    after = None
    while part := await store.over(after, most, account):
        assert len(part) <= most
        found += part
        after = part[-1].place
    return found


# Tickets


async def test_of_two_workers_who_take_a_ticket_at_once_both_give_the_next(
    stores: tuple[NatsStore, NatsStore],
) -> None:
    await give(stores[0], "T0")
    for number in range(ROUNDS):
        last = hash_of(f"T{number}")
        left, right = await asyncio.gather(
            *(
                store.use_ticket(last, hash_of(f"{text}{number + 1}"))
                for store, text in zip(stores, ("T", "other "), strict=True)
            )
        )
        assert left is not None
        assert right is not None
        assert abs(left.session - right.session) == 1
        for store in stores:
            assert {left, right} <= {*await store.tickets_of(ALPHA, A)}


@given(uses=st.lists(st.integers(1, SPARE_TICKETS), max_size=SPARE_TICKETS - 1))
def test_a_ticket_is_good_until_another_one_was_used_first(
    node_of_all: Engines, uses: list[int]
) -> None:
    async def compare() -> None:
        await empty(node_of_all)
        async with nats_store(node_of_all) as store:
            await obeys_the_model(store, uses)

    asyncio.run(compare())


async def test_a_ticket_that_two_workers_give_at_once_is_given_once(
    stores: tuple[NatsStore, NatsStore],
) -> None:
    for number in range(ROUNDS):
        given = await asyncio.gather(
            *(
                outcome(store.give_ticket(hash_of(f"T{number}"), ALPHA, side, 1_000))
                for store, side in zip(stores, (A, A), strict=True)
            )
        )
        assert sorted(given) == [False, True]
