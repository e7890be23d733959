"""Matches at several workers, by a few seeds: everything holds, and planted bugs are found."""

import asyncio

import pytest

from simulation.workers.places import Place, PlaceLoop, StuckError
from simulation.workers.run import PLANTED, finds, result_of

SEEDS = range(4)
"""What is run each time; `make simulate` runs more."""

BUG_SEEDS = range(3)
"""One of these finds each bug."""


@pytest.mark.parametrize("seed", SEEDS)
def test_a_match_outlives_what_befalls_its_workers(seed: int) -> None:
    result = result_of(seed)
    assert result.faults == ()
    assert result.records


def test_a_seed_run_again_is_the_same_run() -> None:
    assert result_of(SEEDS[0]) == result_of(SEEDS[0])


@pytest.mark.parametrize("name", sorted(PLANTED))
def test_a_planted_bug_of_several_workers_is_found(name: str) -> None:
    assert finds(name, BUG_SEEDS) is not None


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
