"""What is kept of people, rooms and tickets."""

import asyncio
import hashlib
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulation.disk import Disk
from simulation.diskstorage import disk_storage
from sunglare_protocol.ids import MatchId, Side
from sunglare_server.host.database import Database
from sunglare_server.host.sqlite_store import SPARE_TICKETS, SqliteStore
from sunglare_server.host.storage import sqlite_storage
from sunglare_server.host.store import (
    Ended,
    Person,
    Place,
    Store,
    StoreError,
    TakenError,
    Ticket,
    hash_of,
)

ALPHA = MatchId("a" * 26)
BETA = MatchId("b" * 26)
A = Side("A")
B = Side("B")


def person(number: int, name: str) -> Person:
    return Person(
        person=f"{number:032x}",
        token_hash=hash_of(f"token {number}"),
        name=name,
        name_key=name.casefold(),
    )


ANN = person(1, "Ann")
BEN = person(2, "Ben")


def ticket(text: str, *, match: MatchId = ALPHA, side: Side = A, session: int = 1) -> Ticket:
    return Ticket(hash=hash_of(text), match=match, side=side, session=session, expires_ms=1_000)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "sunglare.db"


@pytest.fixture(params=["sqlite", "disk"])
async def store(request: pytest.FixtureRequest, path: Path) -> AsyncIterator[Store]:
    if request.param == "sqlite":
        storage = await sqlite_storage(path)
    else:
        storage = await disk_storage(Disk(Random(0)))
    yield storage.store
    await storage.journal.close()


def test_a_secret_is_stored_as_its_sha_256() -> None:
    assert hash_of("abc") == hashlib.sha256(b"abc").hexdigest()


# People


async def test_a_person_is_found_by_the_hash_of_the_token(store: Store) -> None:
    await store.add_person(ANN)
    await store.add_person(BEN)
    assert await store.person_of(hash_of("token 1")) == ANN
    assert await store.person_of(hash_of("token 3")) is None
    assert await store.person_of("token 1") is None


async def test_a_name_leads_to_who_has_it(store: Store) -> None:
    await store.add_person(ANN)
    assert await store.name_taken("ann") == ANN.person
    assert await store.name_taken("ben") is None


@pytest.mark.parametrize(
    "second",
    [
        Person(person="9" * 32, token_hash="h", name="ANN", name_key="ann"),
        Person(person="9" * 32, token_hash=ANN.token_hash, name="Zoe", name_key="zoe"),
        Person(person=ANN.person, token_hash="h", name="Zoe", name_key="zoe"),
    ],
    ids=["name", "token", "id"],
)
async def test_two_people_share_neither_name_nor_token_nor_id(
    store: Store, second: Person
) -> None:
    await store.add_person(ANN)
    with pytest.raises(TakenError):
        await store.add_person(second)
    assert await store.person_of(ANN.token_hash) == ANN
    assert await store.name_taken("zoe") is None


async def test_a_new_name_replaces_the_old_one(store: Store) -> None:
    await store.add_person(ANN)
    assert await store.rename(ANN.person, "Zoe", "zoe")
    assert await store.name_taken("ann") is None
    assert await store.names((ANN.person,)) == {ANN.person: "Zoe"}


async def test_a_name_may_change_its_letters_only(store: Store) -> None:
    await store.add_person(ANN)
    assert await store.rename(ANN.person, "ANN", "ann")
    assert await store.names((ANN.person,)) == {ANN.person: "ANN"}


async def test_a_taken_name_is_not_given_again(store: Store) -> None:
    await store.add_person(ANN)
    await store.add_person(BEN)
    assert not await store.rename(BEN.person, "Ann", "ann")
    assert await store.names((ANN.person, BEN.person)) == {ANN.person: "Ann", BEN.person: "Ben"}


async def test_of_two_who_ask_for_a_name_at_once_one_gets_it(store: Store) -> None:
    await store.add_person(ANN)
    await store.add_person(BEN)
    outcomes = await asyncio.gather(
        store.rename(ANN.person, "Zoe", "zoe"), store.rename(BEN.person, "Zoe", "zoe")
    )
    assert tuple(outcomes) == (True, False)


async def test_nobody_cannot_be_renamed(store: Store) -> None:
    assert not await store.rename("0" * 32, "Zoe", "zoe")
    assert await store.name_taken("zoe") is None


async def test_names_are_told_in_the_order_asked_and_left_out_where_unknown(
    store: Store,
) -> None:
    await store.add_person(ANN)
    await store.add_person(BEN)
    found = await store.names((BEN.person, "0" * 32, ANN.person))
    assert list(found.items()) == [(BEN.person, "Ben"), (ANN.person, "Ann")]
    assert await store.names(()) == {}


async def test_every_name_is_told_but_those_of_the_forgotten(store: Store) -> None:
    for number, name in ((3, "Lark"), (1, "Kite"), (2, "Crane")):
        await store.add_person(person(number, name))
    await store.rename(person(1, "").person, "Owl", "owl")
    await store.forget(person(2, "").person)
    assert await store.every_name() == (
        (person(1, "").person, "Owl"),
        (person(3, "").person, "Lark"),
    )


async def test_a_forgotten_person_has_neither_name_nor_token(store: Store) -> None:
    await store.add_person(ANN)
    await store.add_person(BEN)
    await store.forget(ANN.person)
    await store.forget(ANN.person)
    assert await store.person_of(ANN.token_hash) is None
    assert await store.name_taken("ann") is None
    assert await store.names((ANN.person, BEN.person)) == {BEN.person: "Ben"}
    await store.add_person(person(3, "Ann"))


async def test_no_byte_of_a_forgotten_name_is_left_in_the_files(path: Path) -> None:
    storage = await sqlite_storage(path)
    store = storage.store
    await store.add_person(person(7, "Philippa-Xanthe"))
    await store.add_person(ANN)

    def written() -> bytes:
        return b"".join(file.read_bytes() for file in sorted(path.parent.iterdir()))

    assert b"Philippa-Xanthe" in written()
    await store.forget(person(7, "").person)
    assert b"philippa-xanthe" not in written().lower()
    assert hash_of("token 7").encode() not in written()
    assert b"Ann" in written()
    await storage.journal.close()


# Rooms


async def test_the_newest_room_of_a_match_is_kept(store: Store) -> None:
    await store.put_room(BETA, b"b")
    await store.put_room(ALPHA, b"old")
    await store.put_room(ALPHA, b"new")
    assert await store.rooms() == ((ALPHA, b"new"), (BETA, b"b"))
    await store.drop_room(ALPHA)
    await store.drop_room(ALPHA)
    assert await store.rooms() == ((BETA, b"b"),)


# Tickets


async def give(
    store: Store, text: str, *, match: MatchId = ALPHA, side: Side = A, expires_ms: int = 1_000
) -> None:
    """Give a ticket to a seat."""
    await store.give_ticket(hash_of(text), match, side, expires_ms)


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


async def test_using_a_ticket_gives_the_next_and_leaves_the_used_one_good(
    store: Store,
) -> None:
    await give(store, "T1")
    assert await store.use_ticket(hash_of("T1"), hash_of("T2")) == ticket("T2", session=2)
    assert await store.tickets_of(ALPHA, A) == (ticket("T1"), ticket("T2", session=2))


async def test_the_first_use_of_the_next_ticket_ends_the_older_ones(store: Store) -> None:
    await give(store, "T1")
    await store.use_ticket(hash_of("T1"), hash_of("T2"))
    assert await store.use_ticket(hash_of("T2"), hash_of("T3")) == ticket("T3", session=3)
    assert await store.ticket(hash_of("T1")) is None
    assert await store.use_ticket(hash_of("T1"), hash_of("T4")) is None
    assert await store.tickets_of(ALPHA, A) == (
        ticket("T2", session=2),
        ticket("T3", session=3),
    )


@pytest.mark.parametrize("used", ["left", "right"])
async def test_the_first_use_of_a_ticket_ends_those_given_for_the_same_one(
    store: Store, used: str
) -> None:
    await give(store, "T1")
    for text in ("left", "right"):
        await store.use_ticket(hash_of("T1"), hash_of(text))
    assert await store.use_ticket(hash_of(used), hash_of("T4")) is not None
    other = "right" if used == "left" else "left"
    for ended in ("T1", other):
        assert await store.use_ticket(hash_of(ended), hash_of("T5")) is None
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


@pytest.mark.parametrize("kind", ["sqlite", "disk"])
async def test_no_ticket_of_a_match_that_goes_on_is_dropped(path: Path, kind: str) -> None:
    opened = sqlite_storage(path) if kind == "sqlite" else disk_storage(Disk(Random(0)))
    journal, store, *_ = await opened
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


# Matches that are over


def ended(at_ms: int, *persons: str, is_public: bool = True) -> Ended:
    return Ended(ended_ms=at_ms, is_public=is_public, persons=persons, expires_ms=at_ms + 4_000)


async def told(
    store: Store, after: Place | None = None, most: int = 10, person: str | None = None
) -> list[tuple[int, str]]:
    """Return time and room of matches that are over."""
    kept = await store.over(after, most, person)
    for each in kept:
        assert await store.room(each.place.match) == each.blob
    return [(each.place.ended_ms, each.blob.decode()) for each in kept]


async def test_a_room_whose_match_is_over_is_kept_apart_from_the_others(store: Store) -> None:
    await store.put_room(ALPHA, b"alpha")
    await store.put_room(BETA, b"beta")
    await store.end_room(ALPHA, b"over", ended(7))
    assert await store.rooms() == ((BETA, b"beta"),)
    assert await store.room(ALPHA) == b"over"
    assert await store.room(BETA) == b"beta"
    assert await store.room(MatchId("c" * 26)) is None
    assert await store.over_count() == await store.over_count((BETA,)) == 1
    assert await store.over_count((BETA, ALPHA)) == 0
    await store.drop_room(ALPHA)
    assert (await store.room(ALPHA), await store.over_count()) == (None, 0)


async def test_what_is_over_is_told_page_by_page_the_newest_first(store: Store) -> None:
    times = (5, 9, 7, 7, 7, 1)
    names = [MatchId(letter * 26) for letter in "fedcba"]
    for match, at_ms in zip(names, times, strict=True):
        await store.end_room(match, match[:1].encode(), ended(at_ms))
    whole = [(9, "e"), (7, "b"), (7, "c"), (7, "d"), (5, "f"), (1, "a")]
    assert await told(store) == whole
    for most in (1, 2, 3):
        seen: list[tuple[int, str]] = []
        after: Place | None = None
        while part := await told(store, after, most):
            assert len(part) <= most
            seen += part
            after = Place(part[-1][0], MatchId(part[-1][1] * 26))
        assert seen == whole
    # The place of a match that is there no more is a place all the same.
    await store.drop_room(names[3])
    assert await told(store, Place(7, names[3])) == [(7, "d"), (5, "f"), (1, "a")]


async def test_a_private_match_that_is_over_is_told_to_those_whose_it_was(store: Store) -> None:
    await store.end_room(ALPHA, b"alpha", ended(3, "ann", "ben", is_public=False))
    await store.end_room(BETA, b"beta", ended(4, "ann"))
    assert await told(store) == [(4, "beta")]
    assert await told(store, person="ann") == [(4, "beta"), (3, "alpha")]
    assert await told(store, person="ben") == [(3, "alpha")]
    assert await told(store, person="cat") == []
    assert await told(store, Place(4, BETA), person="ann") == [(3, "alpha")]


async def test_matches_are_found_by_how_their_ids_begin(store: Store) -> None:
    await store.put_room(ALPHA, b"alpha")
    await store.end_room(BETA, b"beta", ended(1))
    assert await store.beginning_with("a", 2) == (ALPHA,)
    assert await store.beginning_with(BETA, 2) == (BETA,)
    assert await store.beginning_with("", 9) == (ALPHA, BETA)
    assert await store.beginning_with("", 1) == (ALPHA,)
    assert await store.beginning_with("c", 2) == ()
    assert await store.beginning_with("'%", 2) == ()


class ModelSeat:
    """The rule of a seat's tickets in its plainest form, without the limit on spare ones."""

    def __init__(self) -> None:
        self.good = [1]
        self.used: list[int] = []
        self.newest = 1

    def use(self, number: int) -> bool:
        """Return whether the ticket was good; its first use leaves it and the next one alone.

        The very first ticket of a seat ends none.
        """
        if number not in self.good:
            return False
        if number not in self.used and number != 1:
            self.good = [number]
        self.used.append(number)
        self.newest += 1
        self.good.append(self.newest)
        return True


@given(uses=st.lists(st.integers(1, SPARE_TICKETS), max_size=SPARE_TICKETS - 1))
def test_a_ticket_is_good_until_another_one_was_used_first(
    tmp_path_factory: pytest.TempPathFactory, uses: list[int]
) -> None:
    async def compare() -> None:
        database = await Database.open(tmp_path_factory.mktemp("seat") / "sunglare.db")
        disk = await disk_storage(Disk(Random(0)))
        for store in (SqliteStore(database), disk.store):
            model = ModelSeat()
            await give(store, "1")
            for number in uses:
                was_good = model.use(number)
                issued = await store.use_ticket(hash_of(str(number)), hash_of(str(model.newest)))
                assert (issued is not None) == was_good
                kept = await store.tickets_of(ALPHA, A)
                assert [held.session for held in kept] == model.good
        await database.close()

    asyncio.run(compare())


# The file


async def test_everything_is_there_after_reopening(path: Path) -> None:
    database = await Database.open(path)
    store = SqliteStore(database)
    await store.add_person(ANN)
    await store.put_room(ALPHA, b"room")
    await give(store, "T1")
    await database.close()
    with pytest.raises(StoreError, match="closed"):
        await store.rooms()
    with pytest.raises(StoreError, match="closed"):
        await store.add_person(BEN)
    database = await Database.open(path)
    store = SqliteStore(database)
    assert await store.person_of(ANN.token_hash) == ANN
    assert await store.rooms() == ((ALPHA, b"room"),)
    assert await store.tickets_of(ALPHA, A) == (ticket("T1"),)
    await database.close()
