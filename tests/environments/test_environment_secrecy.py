"""Nothing hidden is in an observation: where two worlds look alike to a side, so do its bytes."""

from typing import Any

import numpy as np
import pytest

from sunglare_client.choosing.chooser import Asked
from sunglare_client.choosing.decision import DecisionKind
from sunglare_gym import SunglareParallel

QUIET = (DecisionKind.COURSE, DecisionKind.SWITCHES)
"""What an enemy decides who is not to be heard: neither scans nor shots, nor anything launched."""


def quiet(asked: Asked, world: int) -> np.ndarray[Any, Any]:
    """Return the answers of an enemy that moves otherwise in each world, and is never heard."""
    answers = np.zeros(12, np.int64)
    for number, decision in enumerate(asked.decisions):
        if world and decision.kind in QUIET:
            answers[number] = 1 + world % len(decision.candidates)
    return answers


def blind(asked: Asked) -> np.ndarray[Any, Any]:
    """Return the answers of a side that does all it can but scan, so that it finds nobody."""
    found = [decision.kind is not DecisionKind.SCAN for decision in asked.decisions]
    return np.array(found + [False] * (12 - len(found)), np.int64)


def steps(env: SunglareParallel, seed: int, world: int) -> list[tuple[Any, ...]]:
    """Play a match of a blind A and a quiet B, and return of each step what A and B are told."""
    told: list[tuple[Any, ...]] = []
    observed, infos = env.reset(seed=seed)
    told.append((env.asked("A").outlook.advice.view, told_to("A", observed, infos), observed["B"]))
    while env.agents:
        answers = {"A": blind(env.asked("A")), "B": quiet(env.asked("B"), world)}
        observed, rewards, over, cut, infos = env.step(answers)
        mine = told_to("A", observed, rewards, over, cut, infos)
        told.append((env.asked("A").outlook.advice.view, mine, observed["B"]))
    return told


def told_to(agent: str, observed: dict[str, Any], *rest: dict[str, Any]) -> tuple[Any, ...]:
    """Return all that an agent is told by a step, its arrays as bytes."""
    arrays = {name: part.tobytes() for name, part in observed[agent].items()}
    return arrays, *(part[agent] for part in rest)


@pytest.mark.parametrize("seed", range(2))
def test_two_worlds_that_look_alike_to_an_agent_are_told_it_in_the_same_bytes(seed: int) -> None:
    env = SunglareParallel(turns=4, shaping=0.3)
    worlds = [steps(env, seed, world) for world in range(3)]
    compared = 0
    for other in worlds[1:]:
        for (view, mine, theirs), (view_there, mine_there, theirs_there) in zip(
            worlds[0], other, strict=False
        ):
            if view != view_there:
                break
            assert mine == mine_there
            compared += any((theirs[part] != theirs_there[part]).any() for part in theirs)
    assert compared > 10


def test_the_agents_and_the_steps_tell_no_number_of_pieces() -> None:
    env = SunglareParallel(turns=2)
    _, infos = env.reset(seed=1)
    while env.agents:
        assert env.agents == ["A", "B"]
        assert infos["A"] == infos["B"]
        *_, infos = env.step({})
