"""Losses that end a match: which are counted, for how long, and when they have decided it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from builders.truths import A, B, C, applied, ship, truth_of
from sunglare_protocol.ids import Side
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_server.match.data.scenario import Objective, ScenarioData, SideSetup
from sunglare_server.match.events.space import LossCounted
from sunglare_server.match.resolve.losses import is_decided, losses
from sunglare_server.match.truth.truth import Loss, Truth

ALL = (A, B, C)


def scenario(after: int) -> ScenarioData:
    """Return a scenario that ends so many turns after A has lost its first ship; 0: never."""
    goal = Objective(kind=ObjectiveKind.SURVIVE, piece="CanaryA1", ends_after=after)
    sides = {side: SideSetup(objectives=(goal,) if side == A else ()) for side in ALL}
    return ScenarioData(title="Test", sides=sides)


def truth(fate: Fate = Fate.DESTROYED) -> Truth:
    """Return the truth in which A's first ship has that fate."""
    return truth_of(replace(ship(A), fate=fate), ship(A, 2), ship(B), ship(C))


def counted(turns: int, after: int = 3) -> LossCounted:
    return LossCounted(side=A, piece="CanaryA1", turns=turns, ends_after=after)


@pytest.mark.parametrize(
    ("fate", "after", "found"),
    [
        (Fate.DESTROYED, 3, [counted(1)]),
        (Fate.ESCAPED, 3, []),
        (Fate.IN_PLAY, 3, []),
        (Fate.DESTROYED, 0, []),
    ],
    ids=["destroyed", "escaped", "in play", "of no consequence"],
)
def test_a_destroyed_piece_whose_loss_ends_the_match_is_counted_and_no_other(
    fate: Fate, after: int, found: list[LossCounted]
) -> None:
    assert list(losses(truth(fate), scenario(after), ALL)) == found


def test_a_side_that_no_longer_plays_loses_nothing_that_ends_the_match() -> None:
    assert list(losses(truth(), scenario(3), (B, C))) == []


def test_what_a_side_lost_while_it_played_is_counted_on_when_it_does_no_longer() -> None:
    lost = applied(truth(), [counted(2)])
    assert list(losses(lost, scenario(3), (B, C))) == [counted(3)]


def test_turns_are_counted_from_that_of_the_loss_on() -> None:
    state = truth()
    for turns in (1, 2, 3):
        [event] = losses(state, scenario(3), ALL)
        assert event == counted(turns)
        state = applied(state, [event])
        assert state.losses == (Loss(side=A, piece="CanaryA1", turns=turns),)
        assert is_decided(state, scenario(3)) is (turns == 3)


@pytest.mark.parametrize("side", [A, B])
def test_two_losses_are_counted_each_by_itself(side: Side) -> None:
    other = LossCounted(side=side, piece="Kite", turns=1, ends_after=9)
    state = applied(truth(), [counted(2), other])
    assert [loss.turns for loss in state.losses or ()] == [2, 1]


@given(after=st.integers(1, 12), turns=st.integers(0, 12))
def test_a_match_is_decided_once_as_many_turns_have_ended(after: int, turns: int) -> None:
    state = truth()
    for _ in range(turns):
        state = applied(state, losses(state, scenario(after), ALL))
    assert is_decided(state, scenario(after)) is (turns >= after)
