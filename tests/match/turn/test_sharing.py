"""How the points of a destroyed piece are shared, and what the sides are told of their shares."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from builders.capital import FIRED, STRUCK
from builders.ground import BG1, GROUND_SHOT, ground_truth, landed, plain_agent, unit
from builders.learned import contact, flow_of, run, shot
from builders.matches import scenario_of
from builders.truths import A1, B1, C1, FRIGATE, A, B, C, D, ship, truth_of
from sunglare_protocol.ids import SIDES, Side, audience_of
from sunglare_rules.turn.victory import AGENT_POINTS, shares
from sunglare_server.match.events.agents import AgentKilled
from sunglare_server.match.events.ground import GroundShotFired, UnitDestroyed
from sunglare_server.match.events.space import Event, LeechDrained, PointsScored, ShipDestroyed
from sunglare_server.match.fog import view as fog
from sunglare_server.match.ids import PieceId
from sunglare_server.match.kinds import Harmed
from sunglare_server.match.resolve.scoring import follows
from sunglare_server.match.resolve.sharing import Engagement
from sunglare_server.match.truth.agents import AgentTruth
from sunglare_server.match.truth.truth import Leech, Truth
from sunglare_server.match.turn.flow import Flow

CG1 = PieceId("C/G1")
D1 = PieceId("D/S1")
WORTH = FRIGATE.points


# The rule.


@pytest.mark.parametrize(
    ("points", "boxes", "expected"),
    [
        pytest.param(4, {A: 6, C: 2}, {A: 3, C: 1}, id="three to one"),
        pytest.param(4, {A: 5, C: 3}, {A: 3, C: 1}, id="the larger remainder"),
        pytest.param(4, {A: 1, C: 1}, {A: 2, C: 2}, id="even"),
        pytest.param(5, {A: 1, C: 1}, {A: 3, C: 2}, id="even: the odd point to the earlier"),
        pytest.param(
            5,
            {C: 1, A: 1},
            {C: 3, A: 2},
            id="even: the odd point to the other if that is the earlier",
        ),
        pytest.param(8, {D: 1, C: 1, A: 1}, {D: 3, C: 3, A: 2}, id="two points over among three"),
        pytest.param(1, {A: 3, C: 4}, {A: 0, C: 1}, id="one point to the larger part"),
        pytest.param(2, {A: 90, C: 1}, {A: 2, C: 0}, id="next to nothing gives nothing"),
        pytest.param(3, {A: 0, C: 0}, {A: 2, C: 1}, id="without any damage all count alike"),
        pytest.param(7, {B: 5}, {B: 7}, id="a side alone"),
        pytest.param(0, {B: 5}, {B: 0}, id="nothing to share"),
        pytest.param(7, {}, {}, id="nobody"),
    ],
)
def test_points_are_shared_by_largest_remainder(
    points: int, boxes: dict[Side, int], expected: dict[Side, int]
) -> None:
    assert shares(points, boxes) == expected


BOXES = st.dictionaries(st.sampled_from(SIDES), st.integers(0, 200), min_size=1)


@given(st.integers(0, 40), BOXES)
def test_shares_sum_to_the_points_and_none_is_a_whole_point_off(
    points: int, boxes: dict[Side, int]
) -> None:
    found = shares(points, boxes)
    assert sum(found.values()) == points
    assert list(found) == list(boxes)
    total = sum(boxes.values())
    for side, share in found.items():
        exact = points * boxes[side] / total if total else points / len(boxes)
        assert abs(share - exact) < 1


@given(st.integers(0, 40), BOXES)
def test_who_did_more_damage_never_gets_less(points: int, boxes: dict[Side, int]) -> None:
    found = shares(points, boxes)
    for one in boxes:
        for other in boxes:
            if boxes[one] > boxes[other]:
                assert found[one] >= found[other]


# What counts as damage of a side.


def scored(truth: Truth, *events: Event, initiative: tuple[Side, ...] = ()) -> dict[Side, int]:
    """Return what each side scores in an ENGAGE in which this happened."""
    happened: list[Event] = []
    engagement = Engagement(initiative or truth.sides, truth, happened)
    found: dict[Side, int] = {}
    ships = truth.ships.values()
    for event in events:
        for points in follows(truth, scenario_of(*ships).data, event, engagement):
            if isinstance(points, PointsScored):
                found[points.side] = found.get(points.side, 0) + points.points
        happened.append(event)
    return {side: points for side, points in found.items() if points}


def four(**changes: object) -> Truth:
    target = replace(ship(B, at=(20, 20)), **changes)
    return truth_of(ship(A, at=(5, 5)), target, ship(C, at=(9, 9)), ship(D, at=(30, 30)))


def gone(*killers: Side, unaware: tuple[Side, ...] = ()) -> ShipDestroyed:
    return ShipDestroyed(piece=B1, cause="fire", killers=killers, unaware=unaware)


def test_a_destroyed_ship_is_shared_by_the_boxes_that_shots_of_each_side_took() -> None:
    shots = (shot(A1, B1, 9), shot(A1, B1, 3), shot(C1, B1, 4), shot(C1, A1, 50))
    assert scored(four(), *shots, gone(A, C)) == {A: 3, C: 1}


def test_an_odd_point_goes_to_the_earlier_in_initiative() -> None:
    shots = (shot(A1, B1, 2), shot(C1, B1, 2), shot(D1, B1, 2))
    first = scored(four(), *shots, gone(A, C, D), initiative=(D, C, B, A))
    assert first == {A: 1, C: 1, D: 2}
    other = scored(four(), *shots, gone(A, C, D), initiative=(C, D, A, B))
    assert other == {A: 1, C: 2, D: 1}


def test_what_its_own_side_did_to_a_ship_takes_no_share() -> None:
    shots = (shot(A1, B1, 2), shot(B1, B1, 60), shot(C1, B1, 2))
    assert scored(four(), *shots, gone(A, B, C)) == {A: 2, C: 2}


def test_leeches_count_for_the_sides_that_fired_them() -> None:
    leeches = (Leech(side=A, turns=1), Leech(side=A, turns=1), Leech(side=A, turns=2))
    drained = LeechDrained(piece=B1, damage=6)
    found = scored(four(leeches=leeches), drained, shot(C1, B1, 2), gone(A, C))
    assert found == {A: 3, C: 1}


def on_the_ground(*agents: AgentTruth) -> Truth:
    """Return units of A and C beside one of B, which has a ship there with another one aboard."""
    units = (unit(A), unit(C, at=(3, 0)), unit(B, at=(2, 0)), unit(B, 2, "B/S1"))
    ships = (ship(A, at=(5, 5)), landed(ship(B), (4, 4)), ship(C, at=(9, 9)))
    return ground_truth(*units, ships=ships, agents=agents)


def ground_shot(piece: PieceId, target: PieceId, damage: int) -> GroundShotFired:
    return replace(GROUND_SHOT, piece=piece, target=target, damage=damage)


BLAST = replace(STRUCK, harmed=(Harmed(BG1, 2), Harmed(B1, 6), Harmed(CG1, 9)))
SHELLED = replace(FIRED, piece=CG1)


def test_batteries_ground_units_and_blasts_count_as_the_shots_of_ships_do() -> None:
    found = scored(on_the_ground(), BLAST, SHELLED, ground_shot(CG1, B1, 0), gone(A, C))
    # The ship is worth 4, the unit aboard 1, which goes to the larger part.
    assert found == {A: 3 + 1, C: 1}


def test_a_ground_unit_is_shared_in_the_same_way() -> None:
    end = UnitDestroyed(piece=BG1, killers=(C,), unaware=(A,))
    hits = (BLAST, ground_shot(CG1, BG1, 3))
    assert scored(on_the_ground(), *hits, end) == {C: 1}
    assert scored(on_the_ground(), BLAST, ground_shot(CG1, BG1, 1), end) == {A: 1}


def test_where_nobody_did_damage_all_count_alike() -> None:
    end = UnitDestroyed(piece=BG1, killers=(A, C), cause="contact")
    assert scored(on_the_ground(), end, initiative=(C, B, A)) == {C: 1}


# What the sides are told.


def played(truth: Truth, *events: Event) -> Flow:
    """Return the flow of an ENGAGE in which this happened to B's ship, which everybody holds."""
    flow = flow_of(truth)
    flow.run([contact(B1, side) for side in truth.sides if side != B])
    return run(flow, *events)


def points_of(flow: Flow) -> dict[Side, int]:
    """Return what each side has scored."""
    return {side: points for side, points in flow.truth.points.items() if points}


def told(flow: Flow, side: Side) -> tuple[int, int]:
    """Return the points that a side is shown, and how many more there are at most."""
    intel = flow.intel[audience_of(side)]
    return intel.points, intel.points_up_to


def test_with_two_sides_the_points_are_told() -> None:
    truth = truth_of(ship(A), ship(B))
    assert told(played(truth, shot(A1, B1, 9), gone(A)), A) == (WORTH, 0)


@pytest.mark.parametrize("killers", [(A,), (A, C), (A, C, D)], ids=["alone", "two", "three"])
def test_with_more_sides_each_is_told_up_to_all_of_them(killers: tuple[Side, ...]) -> None:
    flow = played(
        four(), *(shot(PieceId(f"{side}/S1"), B1, 3) for side in killers), gone(*killers)
    )
    assert sum(points_of(flow).values()) == WORTH
    for side in SIDES:
        assert told(flow, side) == (0, WORTH if side in killers else 0)


def test_a_side_whose_share_is_nothing_is_told_the_same() -> None:
    flow = played(four(), shot(A1, B1, 1), shot(C1, B1, 99), gone(A, C))
    assert points_of(flow) == {C: WORTH}
    assert told(flow, A) == told(flow, C) == (0, WORTH)


def test_what_a_side_is_not_told_of_is_not_in_its_tally() -> None:
    flow = played(four(), shot(A1, B1, 1), shot(C1, B1, 3), gone(C, unaware=(A,)))
    assert points_of(flow) == {A: 1, C: 3}
    assert told(flow, A) == (0, 0)


def test_an_agent_killed_in_a_fight_is_the_fighter_s_alone_who_is_told() -> None:
    killed = AgentKilled(piece=PieceId("B/P1"), killers=(C,))
    flow = flow_of(on_the_ground(plain_agent(B)), killed)
    assert points_of(flow) == {C: AGENT_POINTS}
    assert told(flow, C) == (AGENT_POINTS, 0)


@given(st.integers(1, 60), st.dictionaries(st.sampled_from([C, D]), st.integers(0, 60)))
def test_what_a_side_sees_does_not_depend_on_what_third_sides_did(
    own: int, others: dict[Side, int]
) -> None:
    alone = played(four(), shot(A1, B1, own), gone(A))
    shots = [shot(PieceId(f"{side}/S1"), B1, damage) for side, damage in others.items()]
    killers = truth_of(*(ship(side) for side in SIDES)).in_order(
        [A], [side for side, damage in others.items() if damage]
    )
    crowd = played(four(), shot(A1, B1, own), *shots, gone(*killers))
    assert sum(points_of(crowd).values()) == WORTH
    assert crowd.intel[audience_of(A)] == alone.intel[audience_of(A)]
    assert seen(crowd, A) == seen(alone, A)


def seen(flow: Flow, side: Side) -> bytes:
    """Return the view of a side as bytes."""
    state = flow.state
    shown = fog.view(flow.intel[audience_of(side)], state.standing, state.board)
    return msgspec.msgpack.encode(shown)
