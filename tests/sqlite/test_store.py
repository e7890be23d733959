"""What is kept of people, rooms and matches that are over."""

import asyncio
import hashlib
from pathlib import Path

import msgspec
import pytest

from builders.stores import ALPHA, BETA, A, B, ended, give, ticket
from sunglare_protocol.ids import MatchId
from sunglare_server.ports.store import (
    Account,
    Place,
    PlayerReport,
    Store,
    StoreError,
    TakenError,
    hash_of,
)
from sunglare_server.sqlite.database import Database
from sunglare_server.sqlite.storage import sqlite_storage
from sunglare_server.sqlite.store import SqliteStore


def account(number: int, name: str) -> Account:
    return Account(
        id=f"{number:032x}",
        token_hash=hash_of(f"token {number}"),
        name=name,
        name_key=name.casefold(),
    )


ANN = account(1, "Ann")
BEN = account(2, "Ben")


def test_a_secret_is_stored_as_its_sha_256() -> None:
    assert hash_of("abc") == hashlib.sha256(b"abc").hexdigest()


# People


async def test_a_person_is_found_by_the_hash_of_the_token(store: Store) -> None:
    await store.add_account(ANN)
    await store.add_account(BEN)
    assert await store.account_of(hash_of("token 1")) == ANN
    assert await store.account_of(hash_of("token 3")) is None
    assert await store.account_of("token 1") is None


async def test_an_account_has_the_hash_of_its_token_until_it_is_forgotten(store: Store) -> None:
    await store.add_account(ANN)
    await store.rename(ANN.id, "Zoe", "zoe")
    assert await store.token_hash(ANN.id) == ANN.token_hash
    assert await store.token_hash(BEN.id) is None
    await store.forget(ANN.id)
    assert await store.token_hash(ANN.id) is None


async def test_a_name_leads_to_who_has_it(store: Store) -> None:
    await store.add_account(ANN)
    assert await store.name_taken("ann") == ANN.id
    assert await store.name_taken("ben") is None


async def test_two_people_share_neither_name_nor_token_nor_id(store: Store) -> None:
    await store.add_account(ANN)
    for second in (
        Account(id="9" * 32, token_hash="h", name="ANN", name_key="ann"),
        Account(id="9" * 32, token_hash=ANN.token_hash, name="Zoe", name_key="zoe"),
        Account(id=ANN.id, token_hash="h", name="Zoe", name_key="zoe"),
    ):
        with pytest.raises(TakenError):
            await store.add_account(second)
        assert await store.account_of(ANN.token_hash) == ANN
        assert await store.name_taken("zoe") is None


async def test_a_new_name_replaces_the_old_one(store: Store) -> None:
    await store.add_account(ANN)
    assert await store.rename(ANN.id, "Zoe", "zoe")
    assert await store.name_taken("ann") is None
    assert await store.names((ANN.id,)) == {ANN.id: "Zoe"}


async def test_a_name_may_change_its_letters_only(store: Store) -> None:
    await store.add_account(ANN)
    assert await store.rename(ANN.id, "ANN", "ann")
    assert await store.names((ANN.id,)) == {ANN.id: "ANN"}


async def test_a_taken_name_is_not_given_again(store: Store) -> None:
    await store.add_account(ANN)
    await store.add_account(BEN)
    assert not await store.rename(BEN.id, "Ann", "ann")
    assert await store.names((ANN.id, BEN.id)) == {ANN.id: "Ann", BEN.id: "Ben"}


async def test_of_two_who_ask_for_a_name_at_once_one_gets_it(store: Store) -> None:
    await store.add_account(ANN)
    await store.add_account(BEN)
    outcomes = await asyncio.gather(
        store.rename(ANN.id, "Zoe", "zoe"), store.rename(BEN.id, "Zoe", "zoe")
    )
    assert tuple(outcomes) == (True, False)


async def test_nobody_cannot_be_renamed(store: Store) -> None:
    assert not await store.rename("0" * 32, "Zoe", "zoe")
    assert await store.name_taken("zoe") is None


async def test_names_are_told_in_the_order_asked_and_left_out_where_unknown(store: Store) -> None:
    await store.add_account(ANN)
    await store.add_account(BEN)
    found = await store.names((BEN.id, "0" * 32, ANN.id))
    assert list(found.items()) == [(BEN.id, "Ben"), (ANN.id, "Ann")]
    assert await store.names(()) == {}


async def test_every_name_is_told_but_those_of_the_forgotten(store: Store) -> None:
    for number, name in ((3, "Lark"), (1, "Kite"), (2, "Crane")):
        await store.add_account(account(number, name))
    await store.rename(account(1, "").id, "Owl", "owl")
    await store.forget(account(2, "").id)
    assert await store.every_name() == ((account(1, "").id, "Owl"), (account(3, "").id, "Lark"))


async def test_a_renewed_account_is_found_by_its_new_token_alone(store: Store) -> None:
    await store.add_account(ANN)
    assert await store.rename(ANN.id, "Zoe", "zoe")
    for number in (3, 4, 4):
        assert await store.renew(ANN.id, hash_of(f"token {number}"))
    found = await store.account_of(hash_of("token 4"))
    assert found is not None
    assert (found.id, found.name) == (ANN.id, "Zoe")
    for gone in ("token 1", "token 3"):
        assert await store.account_of(hash_of(gone)) is None
    # What was given up may be had by another.
    await store.add_account(
        Account(id="9" * 32, token_hash=ANN.token_hash, name="X", name_key="x")
    )


async def test_a_token_of_another_account_and_one_for_nobody_is_not_given(store: Store) -> None:
    await store.add_account(ANN)
    await store.add_account(BEN)
    assert not await store.renew(ANN.id, BEN.token_hash)
    assert not await store.renew("0" * 32, hash_of("token 3"))
    assert await store.account_of(hash_of("token 3")) is None
    assert await store.account_of(ANN.token_hash) == ANN
    assert await store.account_of(BEN.token_hash) == BEN
    assert await store.renew(ANN.id, hash_of("token 3"))


async def test_a_forgotten_person_has_neither_name_nor_token(store: Store) -> None:
    await store.add_account(ANN)
    await store.add_account(BEN)
    await store.forget(ANN.id)
    await store.forget(ANN.id)
    assert await store.account_of(ANN.token_hash) is None
    assert await store.name_taken("ann") is None
    assert await store.names((ANN.id, BEN.id)) == {BEN.id: "Ben"}
    await store.add_account(account(3, "Ann"))


async def test_no_byte_of_a_forgotten_name_is_left_in_the_files(path: Path) -> None:
    storage = await sqlite_storage(path)
    store = storage.store
    await store.add_account(account(7, "Philippa-Xanthe"))
    await store.put_webhook(account(7, "").id, "https://xanthe.example.org/hook")
    await store.add_account(ANN)

    def written() -> bytes:
        return b"".join(file.read_bytes() for file in sorted(path.parent.iterdir()))

    assert b"Philippa-Xanthe" in written()
    await store.forget(account(7, "").id)
    assert b"philippa-xanthe" not in written().lower()
    assert b"xanthe.example.org" not in written()
    assert hash_of("token 7").encode() not in written()
    assert b"Ann" in written()
    await storage.journal.close()


async def test_the_newest_webhook_of_a_person_is_kept_until_it_is_taken_back(
    store: Store,
) -> None:
    await store.add_account(ANN)
    await store.add_account(BEN)
    assert await store.webhook(ANN.id) is None
    for url in ("https://a.example.org/1", "https://b.example.org/2"):
        await store.put_webhook(ANN.id, url)
        assert await store.webhook(ANN.id) == url
    assert await store.webhook(BEN.id) is None
    await store.put_webhook(ANN.id, None)
    await store.put_webhook(ANN.id, None)
    assert await store.webhook(ANN.id) is None


async def test_a_webhook_goes_with_its_account_and_none_comes_after_it(store: Store) -> None:
    await store.add_account(ANN)
    await store.put_webhook(ANN.id, "https://a.example.org/")
    await store.forget(ANN.id)
    assert await store.webhook(ANN.id) is None
    await store.put_webhook(ANN.id, "https://a.example.org/")
    assert await store.webhook(ANN.id) is None


# Reports


def report(
    text: str, *, match: MatchId = ALPHA, by: Account = ANN, at_ms: int = 5
) -> PlayerReport:
    return PlayerReport(
        match=match, at_ms=at_ms, account=by.id, side=B, accused=account(9, "").id, text=text
    )


async def test_reports_are_told_by_match_in_the_order_in_which_they_came(store: Store) -> None:
    told = (report("one"), report("two", at_ms=4), report("three", by=BEN))
    other = report("elsewhere", match=BETA)
    for one in (told[0], other, *told[1:]):
        assert await store.add_report(one, 9)
    assert await store.reports() == (*told, other)


async def test_of_one_account_and_match_so_many_reports_are_kept(store: Store) -> None:
    kept = [await store.add_report(report(str(n)), 3) for n in range(5)]
    assert kept == [True, True, True, False, False]
    assert await store.add_report(report("mine too", by=BEN), 3)
    assert await store.add_report(report("there too", match=BETA), 3)
    assert len(await store.reports()) == 5


async def test_reports_that_are_dealt_with_are_gone_and_those_of_others_stay(store: Store) -> None:
    await store.add_report(report("one"), 1)
    await store.add_report(report("two", match=BETA), 1)
    await store.drop_reports(ALPHA)
    await store.drop_reports(ALPHA)
    assert await store.reports() == (report("two", match=BETA),)
    assert await store.add_report(report("again"), 1)


async def test_reports_keep_their_context_and_when_they_were_done_with(store: Store) -> None:
    told = msgspec.structs.replace(report("one"), by_side=A, window="3.plot")
    for one in (told, report("elsewhere", match=BETA)):
        await store.add_report(one, 9)
    assert await store.end_reports(ALPHA, 70) == 1
    await store.add_report(report("two"), 9)
    assert await store.end_reports(ALPHA, 80) == 1
    assert await store.end_reports(ALPHA, 90) == 0
    assert [(one.text, one.by_side, one.window, one.done_ms) for one in await store.reports()] == [
        ("one", A, "3.plot", 70), ("two", None, "", 80), ("elsewhere", None, "", None)
    ]  # fmt: skip


# Rooms


async def test_the_newest_room_of_a_match_is_kept(store: Store) -> None:
    await store.put_room(BETA, b"b")
    await store.put_room(ALPHA, b"old")
    await store.put_room(ALPHA, b"new")
    assert await store.rooms() == ((ALPHA, b"new"), (BETA, b"b"))
    await store.drop_room(ALPHA)
    await store.drop_room(ALPHA)
    assert await store.rooms() == ((BETA, b"b"),)


# Matches that are over


async def told(
    store: Store, after: Place | None = None, most: int = 10, account: str | None = None
) -> list[tuple[int, str]]:
    """Return time and room of matches that are over."""
    kept = await store.over(after, most, account)
    for bygone in kept:
        assert await store.room(bygone.place.match) == bygone.blob
    return [(bygone.place.ended_ms, bygone.blob.decode()) for bygone in kept]


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
    assert await told(store, account="ann") == [(4, "beta"), (3, "alpha")]
    assert await told(store, account="ben") == [(3, "alpha")]
    assert await told(store, account="cat") == []
    assert await told(store, Place(4, BETA), account="ann") == [(3, "alpha")]


async def test_matches_are_found_by_how_their_ids_begin(store: Store) -> None:
    await store.put_room(ALPHA, b"alpha")
    await store.end_room(BETA, b"beta", ended(1))
    assert await store.beginning_with("a", 2) == (ALPHA,)
    assert await store.beginning_with(BETA, 2) == (BETA,)
    assert await store.beginning_with("", 9) == (ALPHA, BETA)
    assert await store.beginning_with("", 1) == (ALPHA,)
    assert await store.beginning_with("c", 2) == ()
    assert await store.beginning_with("'%", 2) == ()


# The file


async def test_everything_is_there_after_reopening(path: Path) -> None:
    database = await Database.open(path)
    store = SqliteStore(database)
    await store.add_account(ANN)
    await store.put_room(ALPHA, b"room")
    await give(store, "T1")
    await database.close()
    with pytest.raises(StoreError, match="closed"):
        await store.rooms()
    with pytest.raises(StoreError, match="closed"):
        await store.add_account(BEN)
    database = await Database.open(path)
    store = SqliteStore(database)
    assert await store.account_of(ANN.token_hash) == ANN
    assert await store.rooms() == ((ALPHA, b"room"),)
    assert await store.tickets_of(ALPHA, A) == (ticket("T1"),)
    await database.close()


# Rooms of matches that are over, changed by two at once


async def test_a_room_that_is_over_is_changed_in_place_of_what_was_read(store: Store) -> None:
    await store.end_room(ALPHA, b"old", ended(7))
    assert await store.amend_room(ALPHA, b"new", b"old")
    assert await store.room(ALPHA) == b"new"
    assert not await store.amend_room(ALPHA, b"late", b"old")
    assert await store.room(ALPHA) == b"new"
    assert [kept.place for kept in await store.over(None, 9)] == [Place(7, ALPHA)]


async def test_of_two_who_change_a_room_that_is_over_at_once_one_succeeds(store: Store) -> None:
    await store.end_room(ALPHA, b"old", ended(7))
    made = await asyncio.gather(
        store.amend_room(ALPHA, b"one", b"old"), store.amend_room(ALPHA, b"two", b"old")
    )
    assert sorted(made) == [False, True]
    assert await store.room(ALPHA) == (b"one" if made[0] else b"two")


async def test_only_a_room_that_is_over_is_changed_so(store: Store) -> None:
    await store.put_room(BETA, b"old")
    assert not await store.amend_room(BETA, b"new", b"old")
    assert not await store.amend_room(MatchId("nowhere"), b"new", b"old")
    assert await store.room(BETA) == b"old"
