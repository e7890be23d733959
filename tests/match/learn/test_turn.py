"""What the turn tells each side, and what a side then holds."""

import pytest
from msgspec.structs import replace

from builders.learned import contact, flow_of, granted, intel_of, missed, moved, run, shot, tracked
from builders.perceived import (
    ESCAPE,
    FOUR,
    HERE,
    LANDING,
    S1,
    TWO,
    Told,
    coasting,
    end_turn,
    everybody,
    gained,
    handle_of,
    held,
    to_all,
    told,
)
from builders.truths import A1, B1, A, B, C
from sunglare_protocol.geometry import Compass, Landing, Square, Vector
from sunglare_protocol.ids import OMNI, PUBLIC
from sunglare_protocol.notices import InitiativeDrawn, PieceLost, SideOut
from sunglare_protocol.words.ladder import Fate, Fix
from sunglare_protocol.words.scans import Echo, Signature
from sunglare_server.match.events.space import (
    DamageTaken,
    Event,
    InitiativeRolled,
    LossCounted,
    PointsScored,
    PowerSwitched,
    RadarGaveAway,
    SensorsSwitched,
    ShipDeployed,
    ShipDestroyed,
    ShooterExposed,
    SideWentOut,
    TrackEnded,
    TurnEnded,
    TurretRotated,
)
from sunglare_server.match.facts.space import Announced, ContactsFaded, Scored, TruthTold
from sunglare_server.match.truth.truth import Truth

# The turn: turn §4, §8, §9.


@pytest.mark.parametrize(("truth", "sides"), [(TWO, "AB"), (FOUR, "ABCD")], ids=["two", "four"])
def test_the_order_of_initiative_is_told_to_all_and_totals_to_nobody(
    truth: Truth, sides: str
) -> None:
    event = InitiativeRolled(turn=1, order=(B, A), totals={A: 4, B: 9})
    assert told(truth, event) == to_all(Announced(notice=InitiativeDrawn(order=(B, A))), sides)


def test_a_side_that_is_out_is_announced_to_all() -> None:
    announced = Announced(notice=SideOut(side=C))
    assert told(FOUR, SideWentOut(side=C)) == to_all(announced, "ABCD")


def test_a_loss_that_ends_the_match_is_announced_to_all() -> None:
    announced = Announced(notice=PieceLost(side=C, piece="Kite", turns=2, ends_after=3))
    event = LossCounted(side=C, piece="Kite", turns=2, ends_after=3)
    assert told(FOUR, event) == to_all(announced, "ABCD")


@pytest.mark.parametrize(
    ("known", "expected"), [(True, {"A": [Scored(points=4)]}), (False, {})], ids=["known", "not"]
)
def test_points_are_told_to_their_side_if_they_follow_from_what_it_knows(
    known: bool, expected: Told
) -> None:
    event = PointsScored(side=A, points=4, why="destroy", is_known=known)
    assert told(FOUR, event) == expected


def test_of_points_that_others_may_share_their_side_is_told_the_most_there_can_be() -> None:
    event = PointsScored(side=A, points=1, why="destroy", is_known=True, at_most=4)
    assert told(FOUR, event) == {"A": [Scored(at_most=4)]}
    assert told(FOUR, replace(event, is_known=False)) == {}


def test_the_end_of_a_turn_is_told_to_all() -> None:
    assert told(FOUR, TurnEnded(turn=3)) == everybody(ContactsFaded(turn=3), "ABCD")


@pytest.mark.parametrize(
    "event",
    [
        ShipDeployed(piece=A1, square=HERE, vector=Vector(0, 0), facing=Compass.N, landing=None),
        PowerSwitched(piece=A1, powered=False, starting=False),
        SensorsSwitched(piece=A1, out=True),
        TurretRotated(piece=A1, turret="T1", arcs=()),
        DamageTaken(piece=A1, damage=3),
    ],
    ids=lambda event: type(event).__name__,
)
def test_switches_and_damage_tell_nobody_anything(event: Event) -> None:
    assert granted(held(Fix.TRACKED), event) == []


def test_only_omni_is_told_the_truth_and_nobody_else() -> None:
    events = (moved(A1), contact(A1, B), tracked(A1, B), shot(A1, B1), ESCAPE, LANDING)
    for event in events:
        for grant in granted(held(Fix.TRACKED), event):
            assert isinstance(grant.fact, TruthTold) is (grant.audience == OMNI)


# What a side holds: turn §3, sensors §6, server rule 2.


def test_two_scans_of_a_turn_show_the_same_handle_and_both_sets_of_signatures() -> None:
    flow = flow_of(TWO, contact(A1, B))
    first = handle_of(flow, "B")
    flow.run([contact(A1, B, Signature.MASS_HULL)])
    assert handle_of(flow, "B") == first
    assert intel_of(flow, "B").held[A1].signatures == ("visual_hull", "mass_hull")


def test_a_contact_raised_to_a_track_keeps_its_handle() -> None:
    flow = flow_of(TWO, contact(A1, B))
    first = handle_of(flow, "B")
    flow.run([contact(A1, B), tracked(A1, B)])
    held_now = intel_of(flow, "B").held[A1]
    assert (held_now.handle, held_now.fix, held_now.size) == (first, Fix.TRACKED, Echo.MEDIUM)


def test_a_contact_dies_at_the_end_of_its_turn_and_the_next_is_a_new_handle() -> None:
    flow = flow_of(TWO, contact(A1, B))
    first = intel_of(flow, "B").held[A1]
    end_turn(flow, 1)
    assert intel_of(flow, "B").held == {}
    [marker] = intel_of(flow, "B").markers
    assert (marker.label, marker.square, marker.turn) == (first.label, HERE, 1)
    assert marker.signatures == ("visual_hull",)
    flow.run([contact(A1, B)])
    second = intel_of(flow, "B").held[A1]
    assert second.handle != first.handle
    assert (first.label, second.label) == ("C1", "C2")
    assert second.turn == 2


def test_a_track_lives_on_over_turns_with_its_handle() -> None:
    flow = gained()
    first = handle_of(flow, "B")
    end_turn(flow, 1)
    flow.run([moved(A1)])
    held_now = intel_of(flow, "B").held[A1]
    assert (held_now.handle, held_now.fix) == (first, Fix.TRACKED)
    assert (held_now.square, held_now.vector, held_now.facing, held_now.turn) == (
        Square(11, 9),
        Vector(1, -1),
        Compass.NE,
        2,
    )


def test_signatures_of_an_earlier_turn_do_not_pile_up_on_a_track() -> None:
    flow = gained()
    end_turn(flow, 1)
    run(flow, moved(A1), contact(A1, B, Signature.MASS_HULL))
    assert intel_of(flow, "B").held[A1].signatures == ("mass_hull",)


def test_a_coasting_track_is_frozen_at_the_last_square_shown() -> None:
    flow = coasting()
    before = intel_of(flow, "B").held[A1]
    flow.run([moved(A1, (20, 20))])
    after = intel_of(flow, "B").held[A1]
    assert before == after
    assert (after.fix, after.square, after.turn) == (Fix.COASTING, Square(11, 9), 2)


def test_a_coasting_track_that_is_found_is_live_again_under_its_handle() -> None:
    flow = coasting()
    first = handle_of(flow, "B")
    run(flow, moved(A1, (20, 20)), contact(A1, B))
    found = intel_of(flow, "B").held[A1]
    assert (found.handle, found.fix, found.square) == (first, Fix.TRACKED, Square(20, 20))


def test_a_lost_track_leaves_a_marker_with_its_last_square_and_vector_and_turn() -> None:
    flow = coasting()
    run(flow, moved(A1, (20, 20)), missed(A1, B, 2))
    assert A1 in intel_of(flow, "B").held
    flow.run([TrackEnded(piece=A1, side=B)])
    assert intel_of(flow, "B").held == {}
    marker = intel_of(flow, "B").markers[-1]
    assert (marker.square, marker.vector, marker.turn) == (Square(11, 9), Vector(1, -1), 2)
    assert marker.size is Echo.MEDIUM


@pytest.mark.parametrize(
    "event",
    [ESCAPE, ShipDestroyed(piece=A1, cause="crash", killers=()), LANDING],
    ids=["escapes", "crashes", "lands"],
)
def test_a_coasting_track_is_not_told_how_the_ship_went_and_is_lost_in_its_own_time(
    event: Event,
) -> None:
    gone, stays = coasting(), coasting()
    gone.run([event])
    stays.run([moved(A1)])
    for flow in (gone, stays):
        run(flow, missed(A1, B, 2), TrackEnded(piece=A1, side=B))
    assert intel_of(gone, "B") == intel_of(stays, "B")
    assert intel_of(gone, PUBLIC) == intel_of(stays, PUBLIC)


@pytest.mark.parametrize(
    ("event", "fate", "landing"),
    [
        (ESCAPE, Fate.ESCAPED, None),
        (ShipDestroyed(piece=A1, cause="fire", killers=(B,)), Fate.DESTROYED, None),
        (LANDING, Fate.IN_PLAY, Landing(body="Ceres", sector=Compass.N)),
    ],
    ids=["escapes", "is destroyed", "lands"],
)
def test_a_live_track_that_ends_in_sight_is_a_marker_that_says_how(
    event: Event, fate: Fate, landing: Landing | None
) -> None:
    flow = gained()
    flow.run([event])
    assert intel_of(flow, "B").held == {}
    [marker] = intel_of(flow, "B").markers
    assert (marker.fate, marker.landing) == (fate, landing)
    assert (marker.label, marker.size) == ("C1", Echo.MEDIUM)


def test_exposed_follows_what_the_owner_was_told() -> None:
    flow = flow_of(TWO)
    seen = []
    for events in ([contact(A1, B)], [tracked(A1, B)], [missed(A1, B)]):
        flow.run(events)
        seen.append(intel_of(flow, "A").exposed[S1])
    flow.run([TrackEnded(piece=A1, side=B)])
    seen.append(intel_of(flow, "A").exposed[S1])
    # That the track coasts is not told to the owner.
    assert seen == [{B: Fix.CONTACT}, {B: Fix.TRACKED}, {B: Fix.TRACKED}, {}]


def test_an_owner_is_no_longer_exposed_by_a_contact_when_the_turn_is_over() -> None:
    flow = flow_of(TWO, contact(A1, B))
    end_turn(flow, 1)
    assert intel_of(flow, "A").exposed[S1] == {}


def test_a_ship_found_only_by_its_radar_can_be_fired_on_and_destroyed() -> None:
    flow = flow_of(TWO, RadarGaveAway(piece=A1))
    flow.run([shot(B1, A1, 16), ShooterExposed(piece=B1, witnesses=(A,))])
    flow.run([ShipDestroyed(piece=A1, cause="fire", killers=(B,))])
    assert intel_of(flow, "B").held == {}
    assert [marker.fate for marker in intel_of(flow, "B").markers] == [Fate.DESTROYED]


def test_a_shot_is_shown_on_the_handle_of_a_shooter_that_is_held() -> None:
    flow = gained()
    flow.run([ShooterExposed(piece=A1, witnesses=(B,))])
    held_now = intel_of(flow, "B").held[A1]
    assert (held_now.side, held_now.type) == (A, "frigate")
    assert intel_of(flow, "B").markers == ()


def test_the_shot_of_an_unheld_ship_is_a_marker_of_this_turn_without_a_handle() -> None:
    flow = flow_of(FOUR, ShooterExposed(piece=A1, witnesses=(B,)))
    [witness], [other] = intel_of(flow, "B").markers, intel_of(flow, "C").markers
    assert (witness.square, witness.turn, witness.side, witness.type) == (HERE, 1, A, "frigate")
    assert (other.square, other.turn, other.side, other.type) == (HERE, 1, None, None)
    assert intel_of(flow, "B").held == {}
    assert intel_of(flow, "B").handles == 0


def test_that_a_coasting_ship_fired_is_not_told_of_its_handle() -> None:
    flow = coasting()
    run(flow, moved(A1, (20, 20)), ShooterExposed(piece=A1, witnesses=(B,)))
    assert intel_of(flow, "B").held[A1].square == Square(11, 9)
    assert intel_of(flow, "B").held[A1].type is None
    assert intel_of(flow, "B").markers[-1].square == Square(20, 20)


def test_identity_stays_with_the_handle_and_a_new_handle_is_a_blip_again() -> None:
    flow = flow_of(TWO, contact(A1, B), ShooterExposed(piece=A1, witnesses=(B,)))
    end_turn(flow, 1)
    assert [marker.type for marker in intel_of(flow, "B").markers] == ["frigate"]
    flow.run([contact(A1, B)])
    assert intel_of(flow, "B").held[A1].type is None
