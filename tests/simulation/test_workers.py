"""Matches at several workers, by a few seeds: everything holds, and planted bugs are found."""

import asyncio
from functools import cache

import pytest

from simulation.workers.places import Place, PlaceLoop, StuckError
from simulation.workers.queueing import PEOPLE
from simulation.workers.run import PLANTED, finds, queue_of, result_of
from sunglare_server.matchmaking.queue_store import QueuePlace

SEEDS = range(4)
"""What is run each time; `make simulate` runs more."""

QUEUE_SEEDS = range(12, 15)
"""One of these finds that places are lost."""

BUG_SEEDS = range(3)
"""One of these finds each bug."""

once, queue_once = cache(result_of), cache(queue_of)
"""What a seed comes to, run once for all tests of it."""


@pytest.mark.parametrize("seed", SEEDS)
def test_a_match_outlives_what_befalls_its_workers(seed: int) -> None:
    result = once(seed)
    assert result.faults == ()
    assert result.records


def test_a_seed_run_again_is_the_same_run() -> None:
    assert result_of(SEEDS[0]) == once(SEEDS[0])


@pytest.mark.parametrize("name", sorted(PLANTED))
def test_a_planted_bug_of_several_workers_is_found(name: str) -> None:
    assert finds(name, BUG_SEEDS) is not None


@pytest.mark.parametrize("seed", SEEDS)
def test_everybody_who_wants_a_quick_match_gets_one_whatever_befalls_its_workers(
    seed: int,
) -> None:
    result = queue_once(seed)
    assert result.faults == ()
    assert len(result.records) == PEOPLE


def test_a_seed_of_the_queue_run_again_is_the_same_run() -> None:
    assert queue_of(SEEDS[0]) == queue_once(SEEDS[0])


def lost_places(_: QueuePlace, __: str, now_ms: int, *, rated: bool) -> int:  # noqa: ARG001
    """Give everybody a new place, as a queue would that is known in memory alone."""
    return now_ms


def test_a_queue_in_which_places_are_lost_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QueuePlace, "place_for", lost_places)
    assert any("lost his place" in line for seed in QUEUE_SEEDS for line in queue_of(seed).faults)


def test_a_place_that_stands_still_runs_nothing_and_then_all_in_its_order() -> None:
    async def run() -> list[int]:
        ran: list[int] = []
        place = Place("one")
        place.stand_still()
        for number in range(3):
            place.soon(ran.append, number)
        await place_has_had_its_turn()
        assert not ran
        place.go_on()
        await place_has_had_its_turn()
        return ran

    with asyncio.Runner(loop_factory=PlaceLoop) as runner:
        assert runner.run(run()) == [0, 1, 2]


def test_nobody_waits_for_what_never_comes() -> None:
    async def wait() -> None:
        await asyncio.get_running_loop().create_future()

    with asyncio.Runner(loop_factory=PlaceLoop) as runner, pytest.raises(StuckError):
        runner.run(wait())


async def place_has_had_its_turn() -> None:
    """Let whatever is due be run."""
    await asyncio.sleep(0.01)
