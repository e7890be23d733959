"""The environments of reinforcement learning keep what PettingZoo and Gymnasium ask of them."""

import warnings
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray
from pettingzoo.test.parallel_test import parallel_api_test
from pettingzoo.test.seed_test import parallel_seed_test

from builders.badbots import bad_bots
from builders.data import shipped
from sunglare_arena.entrants import ArenaError
from sunglare_client.choosing.chooser import Asked, Shape
from sunglare_gym import SEAT_ID, SunglareParallel, SunglareSeat, seats_side_by_side
from sunglare_gym.table import STANDING

SHORT = 2
"""So many turns most matches of these tests have."""

FIRST = np.ones(12, np.int64)
"""The answers that take the first candidate of each decision."""


def masked(env: SunglareParallel, observed: dict[str, Any]) -> dict[str, NDArray[Any]]:
    """Return an answer of every agent, drawn from those that its mask allows."""
    return {
        agent: env.action_space(agent).sample(observed[agent]["action_mask"])
        for agent in env.agents
    }


def test_the_environment_of_all_seats_passes_the_tests_of_pettingzoo(
    capsys: pytest.CaptureFixture[str],
) -> None:
    parallel_api_test(SunglareParallel(turns=SHORT), num_cycles=15)
    assert "Passed" in capsys.readouterr().out
    parallel_seed_test(  # type: ignore[no-untyped-call] # it is untyped
        lambda: SunglareParallel(turns=SHORT), num_cycles=30
    )


def test_the_same_seed_and_answers_give_the_same_match_to_the_end() -> None:
    ends = []
    for _ in range(2):
        env = SunglareParallel(turns=SHORT, shaping=0.1)
        for agent in env.possible_agents:
            env.action_space(agent).seed(5)
        observed, infos = env.reset(seed=3)
        told: list[Any] = [observed, infos]
        while env.agents:
            step = env.step(masked(env, observed))
            observed = step[0]
            told.append(step)
        ends.append(told)
    np.testing.assert_equal(ends[0], ends[1])


def test_one_seat_passes_the_checker_of_gymnasium() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(SEAT_ID, turns=SHORT).unwrapped)


@pytest.mark.parametrize("scenario", shipped().scenarios)
def test_in_every_scenario_what_is_observed_lies_in_its_space_and_answers_are_legal(
    scenario: str,
) -> None:
    env = SunglareParallel(scenario, turns=1)
    observed, _ = env.reset(seed=1)
    asks = 0
    while env.agents:
        for agent in env.agents:
            assert env.observation_space(agent).contains(observed[agent])
            asks += all_legal(env.asked(agent))
        observed, *_ = env.step(masked(env, observed))
    assert asks


def all_legal(asked: Asked) -> int:
    """Return how many decisions a window asks, all of whose candidates must be legal."""
    for decision in asked.decisions:
        assert decision.candidates
        for candidate in decision.candidates:
            assert asked.outlook.advice.check(candidate.orders) is None
            assert {order.ship for order in candidate.orders} == {decision.piece.id}
    return len(asked.decisions)


def test_an_answer_that_the_mask_does_not_allow_does_nothing() -> None:
    env = SunglareSeat(turns=SHORT)
    seen, found = [], []
    for forbidden in (False, True):
        observed, _ = env.reset(seed=6)
        over = False
        while not over:
            allowed = observed["action_mask"].sum(axis=1)
            answers = np.where(allowed < 24, 23, 0) if forbidden else np.zeros(12, np.int64)
            found.append(int(answers.sum()))
            observed, reward, over, _, info = env.step(answers)
            seen.append((observed, reward, over, info))
    half = len(seen) // 2
    assert sum(found) > 0
    np.testing.assert_equal(seen[:half], seen[half:])


@pytest.mark.parametrize(
    ("scenario", "turns", "opponent", "answers", "winner"),
    [
        ("shadow-of-ceres", 8, "random", FIRST, "A"),
        ("shadow-of-ceres", 6, "scout", 0 * FIRST, "B"),
    ],
    ids=["won", "lost"],
)
def test_the_reward_of_a_match_is_its_result(
    scenario: str, turns: int, opponent: str, answers: NDArray[Any], winner: str
) -> None:
    env = SunglareSeat(scenario, opponent=opponent, side="A", turns=turns)
    env.reset(seed=3)
    rewards: list[float] = []
    over, info = False, dict[str, Any]()
    while not over:
        _, reward, over, _, info = env.step(answers)
        rewards.append(reward)
    assert info["winner"] == winner
    assert rewards[:-1] == [0.0] * (len(rewards) - 1)
    assert rewards[-1] == (1.0 if winner == "A" else -1.0)


@pytest.mark.parametrize("opponent", ["Quitting", "Interrupting", "Cancelling", "Unborn"])
def test_an_opponent_that_would_end_the_program_loses_its_windows_alone(
    opponent: str, tmp_path: Path
) -> None:
    env = SunglareSeat(opponent=f"{bad_bots(tmp_path)}:{opponent}", turns=1)
    env.reset(seed=1)
    over, steps = False, 0
    while not over:
        _, _, over, *_ = env.step(FIRST)
        steps += 1
    assert steps > 1


def test_an_opponent_whose_file_ends_the_program_is_refused(tmp_path: Path) -> None:
    (tmp_path / "leaving.py").write_text("raise SystemExit(0)")
    with pytest.raises(ArenaError, match=r"leaving.py' cannot be loaded: SystemExit: 0"):
        SunglareSeat(opponent=str(tmp_path / "leaving.py"))


def test_a_shaped_reward_is_the_change_of_the_standing_besides() -> None:
    env = SunglareParallel(turns=4, shaping=0.5)
    env.reset(seed=4)
    stood = dict.fromkeys("AB", standing(env, "A"))
    changed = False
    while env.agents:
        acting = list(env.agents)
        _, rewards, over, *_ = env.step(dict.fromkeys(acting, FIRST))
        if over["A"]:
            break
        for agent in acting:
            now = standing(env, agent)
            assert rewards[agent] == pytest.approx(0.5 * (now - stood[agent]))
            changed = changed or rewards[agent] != 0
            stood[agent] = now
    assert changed


def standing(env: SunglareParallel, agent: str) -> float:
    """Return the standing of an agent by the numbers of its view."""
    numbers = env.asked(agent).observation.named()
    return sum(weight * numbers[name] for name, weight in STANDING.items())


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_seats_side_by_side_begin_anew_as_gymnasium_has_it(mode: AutoresetMode) -> None:
    envs = seats_side_by_side(2, autoreset=mode, turns=1, side="A")
    observed, infos = envs.reset(seed=1)
    assert observed["action_mask"].shape == (2, 12, 24)
    began = list(infos["window"])
    over = np.zeros(2, bool)
    while not over.any():
        _, _, over, _, infos = envs.step(envs.action_space.sample())
    assert over.all()
    if mode is AutoresetMode.SAME_STEP:
        assert list(infos["window"]) == began
        assert infos["final_info"]["window"][0].endswith("over")
    else:
        _, rewards, over, _, infos = envs.step(envs.action_space.sample())
        assert list(infos["window"]) == began
        assert not over.any()
        assert not rewards.any()
    envs.close()


def test_without_a_side_the_seats_are_taken_in_turns() -> None:
    env = SunglareSeat(turns=1)
    sides = [env.reset(seed=1)[1]["side"], *(env.reset()[1]["side"] for _ in range(3))]
    assert sides == ["A", "B", "A", "B"]
    assert env.reset(options={"side": "A"})[1]["side"] == "A"


def test_a_smaller_shape_asks_less_of_the_same() -> None:
    large, small = SunglareParallel(), SunglareParallel(shape=Shape(2, 3))
    for env in (large, small):
        env.reset(seed=1)
    asked, less = large.asked("A"), small.asked("A")
    assert [decision.kind for decision in less.decisions] == [
        decision.kind for decision in asked.decisions[:2]
    ]
    assert [len(decision.candidates) for decision in less.decisions] == [2, 2]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"scenario": "atlantis"}, "there is no scenario 'atlantis': it is one of .*redondo"),
        ({"opponent": "nobody"}, "there is no bot 'nobody': it is one of random"),
        ({"side": "Z"}, "shadow-of-ceres has no side 'Z': it is one of A, B"),
    ],
)
def test_what_cannot_be_played_is_said_in_one_sentence(options: dict[str, Any], says: str) -> None:
    with pytest.raises(ArenaError, match=says):
        SunglareSeat(**options)


def test_a_shape_with_nothing_to_choose_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 1 decision and 2 candidates, not 1 and 1"):
        Shape(1, 1)


def test_no_step_is_taken_before_a_match_and_after_it() -> None:
    seat, seats = SunglareSeat(turns=1), SunglareParallel(turns=1)
    with pytest.raises(RuntimeError, match="call reset first"):
        seat.step(FIRST)
    seats.reset(seed=1)
    while seats.agents:
        seats.step({})
    with pytest.raises(RuntimeError, match="call reset first"):
        seats.step({})
