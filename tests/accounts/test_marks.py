"""Marks by which access logs name accounts: one a day, and whose they are for thirty days."""

import hashlib

import pytest

from builders.fakeclock import FakeClock
from sunglare_server.accounts.accounts import Caller
from sunglare_server.accounts.pseudonyms import DAY_MS, DAYS_KEPT, Pseudonyms, mark_of
from sunglare_server.app import App
from sunglare_server.base.entropy import SeededEntropy
from sunglare_server.sqlite.storage import Storage

ANN, BEN = "a" * 32, "b" * 32
KEY = bytes(32)


def test_a_mark_is_a_keyed_hash_of_the_account_and_the_day() -> None:
    told = b"20000 " + ANN.encode()
    made = hashlib.blake2b(told, digest_size=8, key=KEY, person=b"sunglare mark").hexdigest()
    assert mark_of(KEY, ANN, 20_000) == made


def test_marks_of_two_accounts_days_and_keys_differ() -> None:
    cases = [(KEY, ANN, 1), (KEY, BEN, 1), (KEY, ANN, 2), (b"k" * 32, ANN, 1)]
    assert len({mark_of(*case) for case in cases}) == len(cases)


async def marks(storage: Storage, clock: FakeClock, seed: bytes = b"marks") -> Pseudonyms:
    """Return the marks of a server that has begun."""
    assert storage.secrets is not None
    made = Pseudonyms(storage.secrets, storage.store, clock, SeededEntropy(seed))
    await made.load()
    return made


async def named(app: App, name: str) -> str:
    """Return the account of somebody new."""
    caller = await app.lobby.accounts.hello(None, name)
    assert isinstance(caller, Caller)
    return caller.account


async def test_a_mark_lasts_a_day_and_leads_to_its_account_for_thirty_more(app: App) -> None:
    clock = FakeClock(20_000 * DAY_MS)
    made = await marks(app.storage, clock)
    accounts = [await named(app, name) for name in ("anna", "boris")]
    first = [made.of(account) for account in accounts]
    clock.advance(DAY_MS - 1)
    assert [made.of(account) for account in accounts] == first
    clock.advance(1)
    assert not {made.of(account) for account in accounts} & {*first}
    clock.advance((DAYS_KEPT - 1) * DAY_MS)
    assert [await made.whose(mark) for mark in first] == accounts
    clock.advance(DAY_MS)
    assert [await made.whose(mark) for mark in first] == [None, None]
    assert await made.whose(made.of(accounts[1])) == accounts[1]


async def test_marks_are_the_same_after_a_restart_and_at_every_server(app: App) -> None:
    clock = FakeClock(20_000 * DAY_MS)
    first = await marks(app.storage, clock)
    again = await marks(app.storage, clock, b"another seed")
    assert first.of(ANN) == again.of(ANN) != ""


@pytest.mark.parametrize("mark", ["", "0" * 16, "no mark", "A" * 16])
async def test_what_is_no_mark_leads_nowhere(app: App, mark: str) -> None:
    await named(app, "anna")
    assert await app.lobby.marks.whose(mark) is None


async def test_the_mark_of_a_forgotten_account_leads_nowhere(app: App) -> None:
    anna = await named(app, "anna")
    mark = app.lobby.marks.of(anna)
    assert await app.lobby.marks.whose(mark) == anna
    await app.lobby.accounts.forget(anna)
    assert await app.lobby.marks.whose(mark) is None
