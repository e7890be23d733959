"""The steps of agents: what each needs, where it leads, and whom it detects."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.searches import (
    CAVES,
    FAR_TOWN,
    NUMBERS,
    OVER_ORLOG,
    TOWN,
    WILDS,
    A,
    B,
    agent,
    cruiser,
    hot,
    scene_of,
    yacht,
)
from sunglare_protocol.geometry import Square
from sunglare_protocol.words.search import StepFault
from sunglare_rules.search.agents import Aboard, InSpace, Vessel
from sunglare_rules.search.steps import (
    Debark,
    Embark,
    JoinUnits,
    LeaveUnits,
    Step,
    WalkAcross,
    adjacent,
    step_problem,
    stepped,
)

SPACE = InSpace(Square(3, 3))


@pytest.mark.parametrize(
    ("numbers", "pairs"),
    [
        ((1,), set()),
        ((1, 2), {(1, 2)}),
        ((1, 2, 3), {(1, 2), (2, 3), (1, 3)}),
        ((1, 2, 3, 4), {(1, 2), (2, 3), (3, 4), (1, 4)}),
        ((1, 2, 3, 4, 5, 6), {(1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (1, 6)}),
    ],
    ids=str,
)
def test_environs_lie_in_a_ring(numbers: tuple[int, ...], pairs: set[tuple[int, int]]) -> None:
    found = {
        (one, other)
        for one in numbers
        for other in numbers
        if one < other and adjacent(numbers, one, other)
    }
    assert found == pairs


@pytest.mark.parametrize("numbers", [(1,), (1, 2), (1, 2, 3)], ids=str)
def test_no_environs_is_adjacent_to_itself(numbers: tuple[int, ...]) -> None:
    assert not any(adjacent(numbers, number, number) for number in numbers)


@given(st.sets(st.integers(1, 9), max_size=6), st.integers(0, 10), st.integers(0, 10))
def test_being_adjacent_is_mutual(numbers: set[int], one: int, other: int) -> None:
    ring = tuple(sorted(numbers))
    assert adjacent(ring, one, other) == adjacent(ring[::-1], other, one)


@pytest.mark.parametrize(
    ("at", "stacked", "step", "problem"),
    [
        pytest.param(TOWN, False, WalkAcross(2), None, id="walk"),
        pytest.param(TOWN, False, WalkAcross(4), StepFault.NOT_ADJACENT, id="walk nowhere"),
        pytest.param(TOWN, True, WalkAcross(2), StepFault.STACKED, id="walk from troops"),
        pytest.param(
            Aboard("Cruiser"), False, WalkAcross(2), StepFault.NOT_ON_GROUND, id="walk ship"
        ),
        pytest.param(TOWN, False, JoinUnits(), None, id="join"),
        pytest.param(WILDS, False, JoinUnits(), StepFault.NO_TROOPS, id="join foreign troops"),
        pytest.param(TOWN, True, JoinUnits(), StepFault.STACKED, id="join again"),
        pytest.param(TOWN, True, LeaveUnits(), None, id="leave"),
        pytest.param(TOWN, False, LeaveUnits(), StepFault.NOT_STACKED, id="leave nothing"),
        pytest.param(TOWN, False, Embark("Landed"), None, id="board"),
        pytest.param(WILDS, False, Embark("Landed"), StepFault.NOT_THERE, id="board from afar"),
        pytest.param(TOWN, False, Embark("Cruiser"), None, id="shuttle up"),
        pytest.param(FAR_TOWN, False, Embark("Cruiser"), StepFault.NOT_THERE, id="other planet"),
        pytest.param(TOWN, False, Embark("Yacht"), StepFault.NO_SHUTTLE, id="no shuttle"),
        pytest.param(TOWN, False, Embark("Sneak"), StepFault.CLOAKED, id="cloaked"),
        pytest.param(TOWN, False, Embark("Enemy"), StepFault.NO_SUCH_VESSEL, id="enemy ship"),
        pytest.param(TOWN, False, Embark("Nothing"), StepFault.NO_SUCH_VESSEL, id="no ship"),
        pytest.param(Aboard("Cruiser"), False, Debark(3), None, id="shuttle down"),
        pytest.param(Aboard("Landed"), False, Debark(1), None, id="step out"),
        pytest.param(Aboard("Landed"), False, Debark(2), StepFault.NOT_THERE, id="step far"),
        pytest.param(Aboard("Yacht"), False, Debark(1), StepFault.NO_SHUTTLE, id="yacht"),
        pytest.param(Aboard("Sneak"), False, Debark(1), StepFault.CLOAKED, id="cloaked down"),
        pytest.param(Aboard("Away"), False, Debark(1), StepFault.NOT_THERE, id="no planet"),
        pytest.param(
            Aboard("Cruiser"), False, Debark(7), StepFault.NO_SUCH_ENVIRONS, id="no environs"
        ),
        pytest.param(TOWN, False, Debark(1), StepFault.NOT_ABOARD, id="down from the ground"),
    ],
)
def test_a_step_needs_what_the_rules_ask(
    at: Aboard, stacked: bool, step: Step, problem: StepFault | None
) -> None:
    scene = scene_of(
        agent("Rusk", at, stacked=stacked),
        cruiser(),
        yacht(),
        yacht("Landed", TOWN),
        cruiser("Sneak", cloaked=True),
        cruiser("Enemy", owner=B),
        cruiser("Away", SPACE),
        troops=((A, TOWN), (B, WILDS)),
    )
    assert step_problem(scene, "Rusk", step, NUMBERS) is problem


def test_an_agent_spaceship_has_no_use_for_a_shuttle() -> None:
    boat = Vessel(name="Boat", owner=A, at=OVER_ORLOG, is_agent_spaceship=True, has_shuttle=True)
    scene = scene_of(agent("Rusk", Aboard("Boat")), boat)
    assert step_problem(scene, "Rusk", Debark(1), NUMBERS) is StepFault.NO_SHUTTLE


@pytest.mark.parametrize(
    ("start", "step", "end", "detected"),
    [
        pytest.param(TOWN, WalkAcross(2), WILDS, False, id="walking is quiet"),
        pytest.param(TOWN, JoinUnits(), TOWN, True, id="joining troops shows"),
        pytest.param(TOWN, Embark("Landed"), Aboard("Landed"), False, id="boarding is quiet"),
        pytest.param(TOWN, Embark("Cruiser"), Aboard("Cruiser"), False, id="so is shuttling up"),
        pytest.param(Aboard("Cruiser"), Debark(3), CAVES, True, id="shuttling down shows"),
        pytest.param(Aboard("Landed"), Debark(1), TOWN, False, id="stepping out is quiet"),
        pytest.param(Aboard("Grounded"), Debark(2), WILDS, False, id="off a landed starship too"),
    ],
)
def test_a_step_leads_somewhere_and_may_detect(
    start: Aboard, step: Step, end: Aboard, detected: bool
) -> None:
    scene = scene_of(
        agent("Rusk", start),
        cruiser(),
        yacht("Landed", TOWN),
        cruiser("Grounded", WILDS),
        troops=((A, TOWN),),
    )
    after = stepped(scene, "Rusk", step).agent("Rusk")
    assert (after.at, after.detected) == (end, detected)


def test_leaving_the_troops_does_not_end_detection() -> None:
    scene = scene_of(agent("Rusk"), troops=((A, TOWN),))
    for step in (JoinUnits(), LeaveUnits(), WalkAcross(2)):
        assert step_problem(scene, "Rusk", step, NUMBERS) is None
        scene = stepped(scene, "Rusk", step)
    after = scene.agent("Rusk")
    assert (after.stacked, after.detected, after.at) == (False, True, WILDS)


def test_whoever_passes_through_a_hot_place_carries_detection_on() -> None:
    scene = scene_of(agent("Hot", WILDS, detected=True), agent("Rusk"), agent("Vane", CAVES))
    scene = stepped(scene, "Rusk", WalkAcross(2))
    scene = stepped(scene, "Rusk", WalkAcross(3))
    assert hot(scene) == ["Hot", "Rusk", "Vane"]


def test_landing_by_shuttle_detects_the_friends_who_wait_there_and_their_ship() -> None:
    scene = scene_of(
        agent("Rusk", Aboard("Cruiser")),
        agent("Vane"),
        agent("Dray", Aboard("Landed")),
        agent("Lone", WILDS),
        cruiser(),
        yacht("Landed", TOWN),
    )
    assert hot(stepped(scene, "Rusk", Debark(1))) == ["Dray", "Landed", "Rusk", "Vane"]


def test_there_is_no_ground_to_step_on_in_open_space() -> None:
    scene = scene_of(agent("Rusk", Aboard("Cruiser")), cruiser(at=SPACE))
    with pytest.raises(ValueError, match="no ground"):
        stepped(scene, "Rusk", Debark(1))
