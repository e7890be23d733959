"""The promises of the lease, held by every implementation of the port."""

import pytest

from builders.leases import MemoryLease, Register
from builders.matches import first
from builders.memoryjournal import MemoryJournal
from sunglare_protocol.ids import MatchId
from sunglare_server.ports.journal import JournalError
from sunglare_server.ports.lease import Lease, SoleLease

ALPHA, BETA = MatchId("a" * 26), MatchId("b" * 26)


@pytest.fixture
def journal() -> MemoryJournal:
    return MemoryJournal()


@pytest.fixture(params=["sole", "memory"])
def lease(request: pytest.FixtureRequest, journal: MemoryJournal) -> Lease:
    return SoleLease(journal) if request.param == "sole" else MemoryLease(Register())


@pytest.fixture
def sole(journal: MemoryJournal) -> SoleLease:
    return SoleLease(journal)


async def test_a_match_that_nobody_has_claimed_is_not_held(lease: Lease) -> None:
    assert not lease.is_held(ALPHA)


async def test_who_claims_a_match_holds_it_and_nothing_else(lease: Lease) -> None:
    epoch = await lease.claim(ALPHA)
    assert epoch is not None
    assert epoch >= 1
    assert lease.is_held(ALPHA)
    assert not lease.is_held(BETA)


async def test_who_owns_a_match_claims_it_again_with_the_same_epoch(lease: Lease) -> None:
    epochs = [await lease.claim(ALPHA) for _ in range(3)]
    assert len(dict.fromkeys(epochs)) == 1


async def test_a_match_that_was_released_may_be_claimed_at_once(lease: Lease) -> None:
    await lease.claim(ALPHA)
    await lease.release(ALPHA)
    assert not lease.is_held(ALPHA)
    assert await lease.claim(ALPHA) is not None
    assert lease.is_held(ALPHA)


async def test_a_match_that_was_dropped_is_not_held(lease: Lease) -> None:
    await lease.claim(ALPHA)
    await lease.drop(ALPHA)
    assert not lease.is_held(ALPHA)


async def test_releasing_and_dropping_what_is_not_owned_does_nothing(lease: Lease) -> None:
    await lease.release(ALPHA)
    await lease.drop(BETA)
    assert await lease.claim(ALPHA) is not None
    await lease.release(BETA)
    assert lease.is_held(ALPHA)


async def test_what_is_given_up_here_is_not_lost(lease: Lease) -> None:
    lost: list[MatchId] = []
    lease.on_lost(lost.append)
    for match in (ALPHA, BETA):
        await lease.claim(match)
    await lease.release(ALPHA)
    await lease.drop(BETA)
    assert lost == []


# Of a process that owns every match.


async def test_the_epoch_is_one_more_than_that_of_the_newest_record(
    journal: MemoryJournal, sole: SoleLease
) -> None:
    assert await sole.claim(ALPHA) == 1
    await journal.append(BETA, 1, (first(e=3), first(e=41)))
    assert await sole.claim(BETA) == 42
    # It goes on counting from there, whoever else owned it meanwhile.
    await journal.append(BETA, 3, (first(e=57),))
    assert await sole.claim(BETA) == 42
    await sole.release(BETA)
    assert await sole.claim(BETA) == 58


async def test_a_match_whose_newest_record_is_damaged_is_claimed_and_found_to_be_when_it_is_loaded(
    journal: MemoryJournal, sole: SoleLease
) -> None:
    await journal.append(ALPHA, 1, (b"\xc1",))
    assert await sole.claim(ALPHA) == 1


async def test_what_the_journal_cannot_read_is_not_claimed(
    journal: MemoryJournal, sole: SoleLease
) -> None:
    await journal.close()
    with pytest.raises(JournalError):
        await sole.claim(ALPHA)
    assert not sole.is_held(ALPHA)
