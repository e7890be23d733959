"""Choosing by number: the decisions of a window, in order and in numbers, and a bot by them."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sunglare_arena.entrants import games
from sunglare_arena.playing import play
from sunglare_arena.series import limited, scenario_called
from sunglare_client import Moment, sample_moments
from sunglare_client.bots.scout import Scout
from sunglare_client.bots.sightings.beliefmap import BeliefMap
from sunglare_client.choosing.chooser import Chooser, Observation, Observer, Shape
from sunglare_client.choosing.decision import KINDS, DecisionKind, thinned
from sunglare_client.choosing.numbers import CANDIDATE_NUMBERS, PIECE_NUMBERS, VIEW_NUMBERS
from sunglare_gym.table import GymTable, GymTerms
from sunglare_protocol.ids import Side
from sunglare_protocol.views import OwnView
from sunglare_rules.turn.movement import MoveEnding, ending

SHAPE = Shape(6, 8)
FLIES = MoveEnding.FLIES

SEEN: list[Observation] = []
"""What the bot of these tests was asked."""


class Keeper(Chooser):
    """Answers with the first candidate, and keeps what it is asked."""

    shape = SHAPE

    def choose(self, observation: Observation) -> Sequence[int]:
        """Return the first answers."""
        SEEN.append(observation)
        return super().choose(observation)


@given(st.lists(st.integers(), max_size=60), st.integers(1, 30))
def test_what_is_too_much_is_thinned_in_its_order_with_both_ends(
    found: list[int], most: int
) -> None:
    numbered = list(enumerate(found))
    kept = thinned(numbered, most)
    assert len(kept) == min(most, len(found))
    assert kept == sorted(set(kept))
    assert kept[:1] == numbered[:1]
    if most > 1:
        assert kept[-1:] == numbered[-1:]


@pytest.mark.parametrize("moment", sample_moments(), ids=lambda moment: moment.view.stage.window)
def test_a_window_is_asked_in_the_order_of_kinds_and_told_in_numbers_up_to_one(
    moment: Moment,
) -> None:
    observer = Observer(moment.side, BeliefMap(moment.side), SHAPE)
    asked = observer.see(moment.view)
    places = [KINDS.index(decision.kind) for decision in asked.decisions]
    assert places == sorted(places)
    observation = asked.observation
    assert list(observation.named()) == list(VIEW_NUMBERS)
    assert {len(numbers) for numbers in observation.pieces} <= {len(PIECE_NUMBERS)}
    candidates = [numbers for found in observation.candidates for numbers in found]
    assert {len(numbers) for numbers in candidates} <= {len(CANDIDATE_NUMBERS)}
    for numbers in (observation.view, *observation.pieces, *candidates):
        assert all(-1 <= number <= 1 for number in numbers)


def test_no_course_is_offered_that_crashes_or_leaves_the_map() -> None:
    scenario = limited(scenario_called("shadow-of-ceres"), 3)
    terms = GymTerms(scenario=scenario, shape=Shape(6, 64), shaping=0.0)
    table = GymTable(terms, bytes(32), (Side("A"),), {Side("B"): "random"})
    seen = 0
    while not table.is_over:
        asked = table.asked(Side("A"))
        for decision in asked.decisions:
            ship = decision.piece
            if decision.kind is DecisionKind.COURSE and isinstance(ship, OwnView):
                for candidate in decision.candidates:
                    flight = asked.outlook.advice.flight(ship, candidate.orders)
                    assert ending(asked.outlook.advice.view.board, flight.square) is FLIES
                    seen += 1
        table.play({Side("A"): [1 for _ in asked.decisions]})
    table.close()
    assert seen > 100


def test_a_bot_that_chooses_is_asked_what_an_environment_asks() -> None:
    SEEN.clear()
    scenario = limited(scenario_called("shadow-of-ceres"), 3)
    [game] = games(scenario.sides, 2, 1, 3, swap=True)
    outcome = play(scenario, game, (Keeper, Scout))
    assert not outcome.faults
    terms = GymTerms(scenario=scenario, shape=SHAPE, shaping=0.0)
    side = Side("A")
    table = GymTable(terms, game.seed, (side,), {Side("B"): "scout"})
    asked = []
    while not table.is_over:
        observation = table.asked(side).observation
        if observation.named()["asked"]:
            asked.append(observation)
        table.play({side: [1] * len(observation.pieces)})
    table.close()
    assert asked == SEEN
    assert any(observation.pieces for observation in asked)
