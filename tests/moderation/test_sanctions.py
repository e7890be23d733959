"""Bans and mutes: whom they concern, how long they last, and where they are kept."""

import ipaddress
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.fakeclock import FakeClock
from builders.sanctions import ANNA, BORIS, SPAM, ban, in_file, mute
from sunglare_protocol.refusals import Code
from sunglare_server.gateway.addresses import key_of
from sunglare_server.moderation.policy import ModerationPolicy
from sunglare_server.ports.networks import NetworkError, lies_in, network_of
from sunglare_server.ports.sanctions import Book, SanctionKind

V4, V6 = st.ip_addresses(v=4), st.ip_addresses(v=6)


@given(V4 | V6, st.integers(min_value=0, max_value=64), V4 | V6)
def test_an_address_lies_in_those_ranges_that_hold_it_and_no_others(
    first: ipaddress.IPv4Address | ipaddress.IPv6Address,
    bits: int,
    other: ipaddress.IPv4Address | ipaddress.IPv6Address,
) -> None:
    length = max(min(bits, 32 if first.version == 4 else 64), 8 if first.version == 4 else 16)
    banned = ipaddress.ip_network((first, length), strict=False)
    if isinstance(first, ipaddress.IPv6Address) and first.ipv4_mapped is not None:
        return
    kept = str(network_of(str(banned)))
    assert kept in lies_in(key_of(str(first)))
    counted = ipaddress.ip_network(key_of(str(other)))
    is_inside = counted.version == banned.version and banned.supernet_of(counted)  # type: ignore[arg-type]
    assert (kept in lies_in(key_of(str(other)))) == is_inside


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("192.0.2.7", "192.0.2.7/32"),
        (" 192.0.2.0/24 ", "192.0.2.0/24"),
        ("2001:db8::5", "2001:db8::/64"),
        ("2001:db8::/48", "2001:db8::/48"),
        ("::ffff:192.0.2.7", "192.0.2.7/32"),
    ],
)
def test_a_range_is_kept_as_addresses_are_counted(text: str, kept: str) -> None:
    assert str(network_of(text)) == kept


@pytest.mark.parametrize("text", ["", "anna", "192.0.2.1/24", "192.0.2.0/33", "1.2.3"])
def test_what_is_no_range_is_told_with_what_would_be_right(text: str) -> None:
    with pytest.raises(NetworkError, match=r"right are 192\.0\.2\.7, 192\.0\.2\.0/24"):
        network_of(text)


@pytest.mark.parametrize("text", ["0.0.0.0/0", "10.0.0.0/7", "::/0", "2000::/3"])
def test_a_range_that_would_keep_half_the_world_out_is_refused(text: str) -> None:
    with pytest.raises(NetworkError, match="too wide"):
        network_of(text)


def test_what_is_no_address_lies_nowhere() -> None:
    assert lies_in("unknown") == lies_in("") == ()


def test_a_book_finds_what_holds_and_nothing_else() -> None:
    book = Book()
    for one in (ban(until_ms=10), mute(BORIS), ban("192.0.2.0/24")):
        book.take(one)
    assert book.of(SanctionKind.BAN, (ANNA,), None, 9) == ban(until_ms=10)
    assert book.of(SanctionKind.BAN, (ANNA,), None, 10) is None
    assert book.of(SanctionKind.MUTE, (ANNA,), "192.0.2.1", 9) is None
    assert book.of(SanctionKind.MUTE, (ANNA, BORIS), None, 9) == mute(BORIS)
    assert book.of(SanctionKind.BAN, (), "192.0.2.1", 9) == ban("192.0.2.0/24")
    book.drop(SanctionKind.BAN, "192.0.2.0/24")
    assert book.of(SanctionKind.BAN, (), "192.0.2.1", 9) is None


async def test_a_sanction_in_a_file_outlives_the_process(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    kept = (ban(until_ms=5), mute(BORIS), ban("2001:db8::/48"))
    async with in_file(path) as first:
        for one in (*kept, ban(BORIS)):
            await first.keep(one)
        assert await first.lift(SanctionKind.BAN, BORIS)
        assert not await first.lift(SanctionKind.BAN, BORIS)
    async with in_file(path) as again:
        assert sorted(again.book.all, key=repr) == sorted(kept, key=repr)


async def test_a_sanction_that_is_damaged_keeps_no_server_from_starting(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    async with in_file(path) as first:
        await first.keep(ban())
        await first.keep(mute(BORIS))
    with closing(sqlite3.connect(path)) as file:
        file.execute("UPDATE sanction SET kind = 'bun' WHERE kind = 'ban'")
        file.commit()
    async with in_file(path) as again:
        assert again.book.all == (mute(BORIS),)


async def test_a_ban_tells_its_end_and_its_reason_and_ends_by_the_clock() -> None:
    clock = FakeClock(0)
    policy = ModerationPolicy(clock)
    assert await policy.keep(SanctionKind.BAN, ANNA, SPAM, 3_600_000)
    assert not await policy.keep(SanctionKind.BAN, ANNA, SPAM, 3_600_000)
    refusal = policy.banned(BORIS, ANNA)
    assert refusal is not None
    assert refusal.code is Code.OPERATOR_BANNED
    assert refusal.text.endswith(f"Until 1970-01-01 01:00 UTC. The reason: {SPAM}")
    assert policy.banned(BORIS) is None
    assert policy.muted(ANNA) is None
    clock.advance(3_600_000)
    assert policy.banned(ANNA) is None
    assert (policy.holding, policy.count(SanctionKind.BAN)) == ((), 0)


async def test_what_has_ended_is_deleted_with_the_next_one(tmp_path: Path) -> None:
    clock = FakeClock(10)
    async with in_file(tmp_path / "journal.db") as kept:
        policy = ModerationPolicy(clock, kept)
        await kept.keep(ban(until_ms=9))
        await kept.keep(mute(until_ms=11))
        assert [one.kind for one in policy.holding] == [SanctionKind.MUTE]
        await policy.keep(SanctionKind.MUTE, BORIS)
        assert [(one.kind, one.whom) for one in kept.book.all] == [
            (SanctionKind.MUTE, ANNA),
            (SanctionKind.MUTE, BORIS),
        ]


async def test_of_an_account_that_is_forgotten_nothing_is_kept() -> None:
    policy = ModerationPolicy(FakeClock(0))
    for kind in (SanctionKind.BAN, SanctionKind.MUTE):
        await policy.keep(kind, ANNA)
        await policy.keep(kind, BORIS)
    await policy.forget(ANNA)
    assert [one.whom for one in policy.holding] == [BORIS, BORIS]
