"""The end of detection: who sheds it by leaving, and whom a meeting on the way infects anew."""

from collections.abc import Sequence
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.searches import (
    CAVES,
    ORLOG,
    OVER_ORLOG,
    OVER_REDONDO,
    REDONDO,
    SPACE,
    TOWN,
    WILDS,
    agent,
    cruiser,
    hot,
    scene_of,
    yacht,
)
from sunglare_rules.search.agents import Aboard, OnGround, Scene
from sunglare_rules.search.detection import (
    Bound,
    VesselMove,
    closed,
    exposed,
    vessels_moved,
    without,
)
from sunglare_rules.search.steps import Step, WalkAcross, stepped

AWAY = Bound(planet=REDONDO)
SEA = OnGround(ORLOG, 4)


def flight(*moves: VesselMove, detected: bool = True) -> Scene:
    """Return a scene after one yacht with Rusk aboard made moves, one a turn, from Orlog."""
    scene = scene_of(agent("Rusk", Aboard("Yacht"), detected=detected), yacht(detected=detected))
    for move in moves:
        scene = vessels_moved(scene, [move])
    return scene


OUT, DRIFT = VesselMove("Yacht", SPACE, AWAY), VesselMove("Yacht", SPACE)
TO_REDONDO, BACK = VesselMove("Yacht", OVER_REDONDO), VesselMove("Yacht", OVER_ORLOG)


@pytest.mark.parametrize(
    ("moves", "detected"),
    [
        pytest.param([], True, id="staying"),
        pytest.param([VesselMove("Yacht", OVER_ORLOG, AWAY)], True, id="the order alone"),
        pytest.param([OUT], False, id="leaving with the order clears at once"),
        pytest.param([VesselMove("Yacht", SPACE, Bound())], False, id="for off the map too"),
        pytest.param([DRIFT], True, id="drifting out clears nothing"),
        pytest.param(
            [VesselMove("Yacht", SPACE, Bound(planet=ORLOG))], True, id="bound for the same"
        ),
        pytest.param([OUT, TO_REDONDO], False, id="arriving"),
        pytest.param([OUT, DRIFT, TO_REDONDO], False, id="arriving later"),
        pytest.param([TO_REDONDO], False, id="straight into the other box"),
        pytest.param([DRIFT, TO_REDONDO], True, id="drifting over"),
        pytest.param([DRIFT, OUT, TO_REDONDO], True, id="the order comes too late"),
        pytest.param([OUT, BACK], True, id="coming back"),
        pytest.param([OUT, DRIFT, BACK], True, id="coming back later"),
        pytest.param([OUT, TO_REDONDO, DRIFT, BACK], False, id="back after the other planet"),
        pytest.param([OUT, BACK, OUT], False, id="out again"),
        pytest.param([OUT, BACK, DRIFT], True, id="back, then adrift"),
        pytest.param([VesselMove("Yacht", TOWN)], True, id="landing"),
        pytest.param([VesselMove("Yacht", TOWN), BACK], True, id="lifting off again"),
    ],
)
def test_detection_ends_only_on_leaving_for_another_planet(
    moves: list[VesselMove], detected: bool
) -> None:
    assert hot(flight(*moves)) == (["Rusk", "Yacht"] if detected else [])


@pytest.mark.parametrize("moves", [[OUT, BACK], [OUT, TO_REDONDO], [DRIFT, BACK]], ids=str)
def test_coming_back_detects_nobody_who_was_not_before(moves: list[VesselMove]) -> None:
    assert hot(flight(*moves, detected=False)) == []


def test_those_left_behind_keep_the_flag_and_those_who_leave_lose_it() -> None:
    scene = scene_of(
        agent("Rusk", Aboard("Yacht"), detected=True),
        agent("Vane", Aboard("Cruiser"), detected=True),
        agent("Lone", detected=True),
        yacht(detected=True),
        cruiser(),
        yacht("Empty", detected=True),
    )
    assert hot(vessels_moved(scene, [OUT])) == ["Empty", "Lone", "Vane"]


def test_agents_aboard_a_starship_shake_detection_off_too() -> None:
    scene = scene_of(agent("Rusk", Aboard("Cruiser"), detected=True), cruiser())
    away = vessels_moved(scene, [VesselMove("Cruiser", SPACE, AWAY)])
    assert hot(away) == []
    assert hot(vessels_moved(away, [VesselMove("Cruiser", OVER_ORLOG)])) == ["Rusk"]


def test_a_detected_friend_at_the_other_end_infects_anew() -> None:
    scene = scene_of(
        agent("Rusk", Aboard("Yacht"), detected=True),
        agent("Hot", Aboard("Host"), detected=True),
        yacht(detected=True),
        cruiser("Host", OVER_REDONDO),
    )
    assert hot(vessels_moved(scene, [TO_REDONDO])) == ["Hot", "Rusk", "Yacht"]


def test_an_undetected_friend_at_the_other_end_stays_so_for_clearing_comes_first() -> None:
    scene = scene_of(
        agent("Rusk", Aboard("Yacht"), detected=True),
        agent("Clean", Aboard("Host")),
        yacht(detected=True),
        cruiser("Host", OVER_REDONDO),
    )
    assert hot(vessels_moved(scene, [TO_REDONDO])) == []


def test_ships_that_pass_one_another_do_not_meet() -> None:
    scene = scene_of(
        agent("Hot", Aboard("Yacht"), detected=True),
        agent("Clean", Aboard("Host")),
        yacht(detected=True),
        cruiser("Host", SPACE),
    )
    moves = [VesselMove("Yacht", SPACE), VesselMove("Host", OVER_ORLOG)]
    for order in permutations(moves):
        assert hot(vessels_moved(scene, order)) == ["Hot", "Yacht"]


def test_ships_that_leave_together_arrive_together_without_infecting_each_other() -> None:
    scene = scene_of(
        agent("Rusk", Aboard("Yacht"), detected=True),
        agent("Vane", Aboard("Host"), detected=True),
        yacht(detected=True),
        cruiser("Host"),
    )
    moves = [TO_REDONDO, VesselMove("Host", OVER_REDONDO)]
    assert [hot(vessels_moved(scene, order)) for order in permutations(moves)] == [[], []]


def test_with_a_lost_vessel_go_those_aboard_and_nothing_else_changes() -> None:
    scene = scene_of(
        agent("Rusk", Aboard("Yacht"), detected=True),
        agent("Vane", detected=True),
        agent("Dray", WILDS),
        yacht(detected=True),
        cruiser(),
    )
    after = without(scene, ["Yacht", "Dray"])
    assert [one_agent.name for one_agent in after.agents] == ["Vane"]
    assert [vessel.name for vessel in after.vessels] == ["Cruiser"]
    assert hot(after) == ["Vane"]


WALKS = st.lists(
    st.tuples(st.integers(0, 4), st.sampled_from((1, 2, 3, 4))), min_size=1, max_size=10
)
STARTS = st.lists(st.sampled_from((TOWN, WILDS, CAVES, SEA)), min_size=5, max_size=5)


@given(STARTS, WALKS)
def test_walks_infect_along_the_meetings_in_their_order(
    starts: list[OnGround], walks: list[tuple[int, int]]
) -> None:
    scene = closed(Scene(agents=tuple(agent(f"P{at}", place) for at, place in enumerate(starts))))
    scene = exposed(scene, ["P0"])
    places = {f"P{at}": place.environs for at, place in enumerate(starts)}
    sick = {name for name, place in places.items() if place == places["P0"]}
    for who, to in walks:
        scene = stepped(scene, f"P{who}", WalkAcross(to))
        places[f"P{who}"] = to
        present = {name for name, place in places.items() if place == to}
        sick |= present if sick & present else set()
    assert hot(scene) == sorted(sick)


def after_steps(scene: Scene, steps: Sequence[tuple[str, Step]]) -> Scene:
    """Return a scene after steps of characters, in that order."""
    for name, step in steps:
        scene = stepped(scene, name, step)
    return scene


@given(st.permutations((1, 2, 3, 4)), st.lists(st.integers(1, 4), max_size=4), st.booleans())
def test_the_order_of_two_steps_matters_only_if_they_touch_a_common_place(
    apart: list[int], bystanders: list[int], detected: bool
) -> None:
    one, other, one_to, other_to = apart
    others = (agent(f"Q{at}", OnGround(ORLOG, to)) for at, to in enumerate(bystanders))
    walkers = (
        agent("P0", OnGround(ORLOG, one), detected=detected),
        agent("P1", OnGround(ORLOG, other)),
    )
    scene = closed(Scene(agents=(*walkers, *others)))
    steps: tuple[tuple[str, Step], ...] = (
        ("P0", WalkAcross(one_to)),
        ("P1", WalkAcross(other_to)),
    )
    assert after_steps(scene, steps) == after_steps(scene, steps[::-1])


def test_the_order_of_steps_matters_through_a_meeting_on_the_way() -> None:
    scene = scene_of(agent("Hot", detected=True), agent("Vane", WILDS))
    hot_leaves: tuple[str, Step] = ("Hot", WalkAcross(3))
    vane_comes: tuple[str, Step] = ("Vane", WalkAcross(1))
    assert hot(after_steps(scene, [hot_leaves, vane_comes])) == ["Hot"]
    assert hot(after_steps(scene, [vane_comes, hot_leaves])) == ["Hot", "Vane"]
