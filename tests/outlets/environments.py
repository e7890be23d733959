"""What an environment gives an agent, held against what a seat of the same match is sent.

A match with the same dice is played again without the environment. A seat there keeps what it is
sent; of that, and nothing else, the observations must be made, number by number.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final, final

import numpy as np
from gymnasium.utils import seeding

from builders.data import shipped
from sunglare_arena.entrants import Game
from sunglare_arena.livematch import LiveMatch
from sunglare_arena.minds import Decision, Wrong, given_in
from sunglare_arena.series import limited
from sunglare_client.bot import BotMatch
from sunglare_client.choosing.chooser import Asked, Observation, Observer, Shape
from sunglare_gym import SunglareParallel, SunglareSeat
from sunglare_protocol.ids import Side
from sunglare_protocol.messages.replies import Frame, News, Over
from sunglare_protocol.replay.notes import Note
from sunglare_protocol.views import View

SCENARIO: Final = "shadow-of-ceres"
TURNS: Final = 3
SEED: Final = 5

PARTS: Final = {"view", "pieces", "candidates", "action_mask"}
"""All that an observation has."""

_SHAPE: Final = Shape()

FIRST: Final = (1,) * _SHAPE.decisions
"""The answers that are given in each window: always the first candidate."""


@final
class Witness:
    """A mind that keeps what it was asked and answers as the agents do."""

    def __init__(self) -> None:
        """Wait for the match."""
        self.seen: list[Asked] = []
        self._observer: Observer | None = None

    def start(self, told: BotMatch) -> None:
        """Begin to observe."""
        self._observer = Observer.of(told, _SHAPE)

    def hear(self, post: Frame | News | Over) -> None:
        """Take in a frame, with its notices first."""
        if isinstance(post, Frame) and self._observer is not None:
            for notice in post.notices:
                self._observer.heard(notice)
            assert isinstance(post.view, View)
            self.seen.append(self._observer.see(post.view))

    def decide(self, frame: Frame) -> Decision:
        """Return what these answers order."""
        return Decision(given=given_in(frame, self.seen[-1].orders(FIRST)))

    def wrongs(self) -> list[Wrong]:
        """Return nothing."""
        return []

    def notes(self) -> tuple[Note, ...]:
        """Return nothing."""
        return ()

    def close(self) -> None:
        """Be done with the match."""


def _witnessed() -> dict[str, list[Asked]]:
    """Play the match of the environment without it; return what each seat was asked, by window."""
    scenario = limited(shipped().scenarios[SCENARIO], TURNS)
    rng, _ = seeding.np_random(SEED)
    seats = tuple((side, number) for number, side in enumerate(scenario.sides))
    witnesses = {side: Witness() for side in scenario.sides}
    makers = tuple(partial(_same, witness) for witness in witnesses.values())
    match = LiveMatch(scenario, Game(0, rng.bytes(32), seats), makers, is_checked=False)
    while not match.is_over:
        match.play_window()
    match.close()
    return {str(side): witness.seen for side, witness in witnesses.items()}


def _same(witness: Witness, _: int) -> Witness:
    return witness


def _numbers(seen: Observation) -> dict[str, np.ndarray[Any, Any]]:
    """Return an observation as its arrays must be, written down a second time."""
    rows, columns = _SHAPE.decisions, _SHAPE.candidates
    found: dict[str, np.ndarray[Any, Any]] = {
        "view": np.array(seen.view, np.float32),
        "pieces": np.zeros((rows, len(seen.pieces[0]) if seen.pieces else 0), np.float32),
        "action_mask": np.zeros((rows, columns), np.int8),
    }
    found["action_mask"][:, 0] = 1
    for row, (piece, candidates) in enumerate(zip(seen.pieces, seen.candidates, strict=True)):
        found["pieces"][row] = piece
        found["action_mask"][row, 1 : 1 + len(candidates)] = 1
    return found


def _check_observation(given: dict[str, Any], seen: Observation) -> None:
    assert set(given) == PARTS
    for name, numbers in _numbers(seen).items():
        part = given[name]
        told = part[:, : numbers.shape[1]] if name == "pieces" else part
        assert (told == numbers).all(), f"an observation's {name}"
        assert name != "pieces" or not part[:, numbers.shape[1] :].any()
    for row, of_decision in enumerate(given["candidates"]):
        listed: Sequence[Any] = seen.candidates[row] if row < len(seen.candidates) else ()
        known = np.zeros_like(of_decision)
        if listed:
            known[1 : 1 + len(listed)] = listed
        assert (of_decision == known).all(), "an observation's candidates"


def check_environments() -> int:
    """Step both environments to the end; return how many observations were held against it.

    Raise `AssertionError` where one gives anything that a seat was not sent.
    """
    witnessed, steps = _witnessed(), list(_parallel())
    for number, (observed, infos) in enumerate(steps):
        for agent, seen in witnessed.items():
            _check_observation(observed[agent], seen[number].observation)
            assert infos[agent] == {"window": seen[number].window}
    _check_seat(Side("A"))
    return len(steps) * len(witnessed)


def _parallel() -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    env = SunglareParallel(SCENARIO, turns=TURNS)
    yield env.reset(seed=SEED)
    while env.agents:
        answers = {agent: np.array(FIRST, np.int64) for agent in env.agents}
        observed, rewards, over, cut, infos = env.step(answers)
        if not all(over.values()):
            assert set(rewards.values()) == {0.0}
        assert not any(cut.values())
        yield observed, infos
    env.close()


def _check_seat(side: Side) -> None:
    env = SunglareSeat(SCENARIO, turns=1, side=str(side))
    observed, info = env.reset(seed=SEED)
    reward, is_over = 0.0, False
    while not is_over:
        assert reward == 0.0
        assert info == {"window": env.asked().window, "side": str(side)}
        _check_observation(observed, env.asked().observation)
        observed, reward, is_over, _, info = env.step(np.array(FIRST, np.int64))
    _check_observation(observed, env.asked().observation)
    assert set(info) == {"window", "side", "winner"}
    assert reward == {"": 0.0, str(side): 1.0}.get(info["winner"], -1.0)
    env.close()
