"""Who learns what of the hunt for cloaked ships: the table of the rule book, row by row."""

import pytest
from msgspec.structs import asdict, replace

from builders.hunts import RAIDER, hider
from builders.learned import flow_of, intel_of, run, stepped_hunt
from builders.perceived import everybody, own, told
from builders.truths import A1, B1, A, B, C, D, holding, ship, truth_of
from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import PUBLIC, OwnId
from sunglare_protocol.notices import (
    CloakedFound,
    ContactCloaked,
    ContactDestroyed,
    ContactSeen,
    JamOver,
    JamSet,
    OwnFound,
    ShooterKnown,
    SweepSeen,
    TrailCold,
)
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.cloak import TrackerMode
from sunglare_protocol.words.ladder import Fix
from sunglare_protocol.words.scans import Echo
from sunglare_rules.cloak.trackers import Trackers
from sunglare_server.match.events.cloak import (
    CloakedFired,
    CloakSwitched,
    HuntEnded,
    JamEnded,
    PassiveRolled,
    SpaceJammed,
    SweepDeclared,
    SweepRolled,
    UncloakingSeen,
)
from sunglare_server.match.events.space import ShipDestroyed, ShooterExposed, ShotFired, TurnEnded
from sunglare_server.match.facts.space import (
    Announced,
    Counted,
    Exposed,
    Found,
    Lost,
    OwnCounted,
    OwnTrailLost,
    Sighted,
    TrailLost,
    Vanished,
)
from sunglare_server.match.ids import PieceId, quarry_id
from sunglare_server.match.turn.flow import Flow

HERE = Square(10, 10)
S1 = OwnId("S1")
QUARRY = quarry_id(A1, 1)
OPEN = truth_of(ship(A, kind=RAIDER), ship(B, at=(12, 10)))
TWO = truth_of(hider(A, 1, (10, 10), 3), ship(B, at=(12, 10)))
FOUR = truth_of(
    hider(A, 1, (10, 10), 3), ship(B, at=(12, 10)), ship(C, at=(30, 10)), ship(D, at=(5, 30))
)
SPOT = Found(piece=QUARRY, fix=Fix.DETECTED, square=HERE, vector=TWO.ships[A1].vector)
MOTION = replace(SPOT, fix=Fix.SOLUTION, facing=TWO.ships[A1].facing, size=Echo.MEDIUM)
KNOWN = replace(MOTION, side=A, type="raider")


def counted(fix: Fix | None) -> Counted:
    step = stepped_hunt(A1, B, fix)
    return Counted(
        piece=QUARRY,
        trackers=step.trackers,
        solution_window=step.solution_window,
        solution_dice=step.solution_dice,
        mode=TrackerMode.WINDOW,
    )


def own_counted(fix: Fix | None) -> OwnCounted:
    told_hunter = {**asdict(counted(fix)), "piece": PieceId(f"B>{QUARRY}")}
    return OwnCounted(ship=S1, fix=fix or Fix.MEMORY, **told_hunter)


# Cloaking and uncloaking.


@pytest.mark.parametrize("fix", [Fix.TRACKED, Fix.COASTING])
def test_whoever_held_a_ship_loses_it_when_it_cloaks(fix: Fix) -> None:
    seen = told(holding(OPEN, B, A1, fix), CloakSwitched(piece=A1, on=True))
    assert seen == {
        B: [Vanished(piece=A1)],
        A: [Exposed(ship=S1, side=B, fix=None)],
        PUBLIC: [Lost(piece=A1)],
    }


def test_who_did_not_hold_it_hears_nothing_of_a_cloak() -> None:
    assert told(OPEN, CloakSwitched(piece=A1, on=True)) == {}
    assert told(TWO, CloakSwitched(piece=A1, on=False)) == {}


def test_uncloaking_is_a_contact_of_the_side_that_saw_it_and_of_nobody_else() -> None:
    contact = Sighted(piece=A1, square=HERE, signatures=("uncloaking",))
    assert told(OPEN, UncloakingSeen(piece=A1, side=B)) == {B: [contact]}


def test_the_memory_of_a_ship_that_cloaked_stands_where_it_was_seen_last() -> None:
    flow = held_flow()
    flow.run([CloakSwitched(piece=A1, on=True)])
    intel = intel_of(flow, "B")
    assert intel.held == {}
    [marker] = intel.markers
    assert marker.square == HERE
    assert intel.told[-1] == ContactCloaked(label="C1")
    assert flow.truth.holds[B] == {}


def held_flow() -> Flow:
    return flow_of(OPEN, UncloakingSeen(piece=A1, side=B))


# Searches.


@pytest.mark.parametrize(
    "event",
    [
        SweepRolled(piece=B1, dice=(1, 4), found=(A1,)),
        PassiveRolled(piece=B1, die=2, found=(A1,)),
        PassiveRolled(piece=B1, die=6, found=()),
    ],
    ids=["a sweep's dice", "a success's die", "a failure's die"],
)
def test_no_side_is_told_of_dice(event: SweepRolled | PassiveRolled) -> None:
    assert told(TWO, event) == {}


def test_a_sweep_is_seen_by_all_and_is_a_contact_of_every_other_side() -> None:
    seen = told(FOUR, SweepDeclared(piece=B1))
    square = FOUR.ships[B1].square
    public = Announced(notice=SweepSeen(square=square))
    contact = Sighted(piece=B1, square=square, signatures=("sweep",))
    assert seen[PUBLIC] == [public]
    assert all(seen[side] == [public, contact] for side in (A, C, D))
    assert seen[B] == [public, *(Exposed(ship=S1, side=s, fix=Fix.CONTACT) for s in (A, C, D))]


def test_a_detection_tells_square_and_vector_and_the_owner_not_by_whom() -> None:
    event = stepped_hunt(A1, B, Fix.DETECTED)
    owner = [own(OwnFound(ship=S1, fix=Fix.DETECTED)), own_counted(Fix.DETECTED)]
    assert told(TWO, event) == {B: [SPOT, counted(Fix.DETECTED)], PUBLIC: [SPOT], A: owner}
    assert told(FOUR, event) == {B: [SPOT, counted(Fix.DETECTED)], A: owner}


def test_a_solution_tells_also_facing_size_and_identity_the_last_not_to_the_public() -> None:
    seen = told(TWO, stepped_hunt(A1, B, Fix.SOLUTION))
    assert seen[B] == [KNOWN, counted(Fix.SOLUTION)]
    assert seen[PUBLIC] == [MOTION]


def test_a_step_without_a_find_shows_the_trackers_to_both_and_nothing_to_others() -> None:
    assert told(TWO, stepped_hunt(A1, B, None)) == {B: [counted(None)], A: [own_counted(None)]}


def test_the_end_of_a_hunt_is_seen_by_both_and_by_nobody_else() -> None:
    seen = told(TWO, HuntEnded(side=B, piece=A1, quarry=QUARRY))
    assert seen == {
        B: [TrailLost(piece=QUARRY)],
        A: [OwnTrailLost(piece=own_counted(None).piece, ship=S1)],
    }


def test_a_jam_is_for_everybody_without_its_dice() -> None:
    jam, over = Announced(notice=JamSet(until=5)), Announced(notice=JamOver())
    assert told(TWO, SpaceJammed(until=5, dice=(4,))) == everybody(jam, "AB")
    assert told(TWO, JamEnded(turn=5)) == everybody(over, "AB")


def test_a_cloaked_ship_that_fires_is_detected_by_whom_it_fired_at() -> None:
    empty = replace(own_counted(None), fix=Fix.DETECTED, trackers=Trackers())
    seen = told(FOUR, CloakedFired(piece=A1, side=B))
    owner = [own(OwnFound(ship=S1, fix=Fix.DETECTED)), empty]
    assert seen == {B: [SPOT], A: owner}


# What is held.


def test_a_hunted_ship_keeps_its_handle_as_a_memory_between_finds() -> None:
    flow = flow_of(TWO, stepped_hunt(A1, B, Fix.DETECTED))
    held = intel_of(flow, "B").held[QUARRY]
    assert intel_of(flow, "B").told == (
        CloakedFound(handle=held.handle, label="C1", square=HERE, fix=Fix.DETECTED),
    )
    flow.run([TurnEnded(turn=1)])
    after = intel_of(flow, "B").held[QUARRY]
    assert (after.handle, after.fix, after.turn) == (held.handle, Fix.MEMORY, 1)
    flow.run([HuntEnded(side=B, piece=A1, quarry=QUARRY)])
    assert intel_of(flow, "B").held == {}
    assert intel_of(flow, "B").told[-1] == TrailCold(label="C1")
    assert [marker.label for marker in intel_of(flow, "B").markers] == ["C1"]


def test_the_public_holds_a_found_ship_for_its_turn_only() -> None:
    flow = flow_of(TWO, stepped_hunt(A1, B, Fix.SOLUTION))
    assert intel_of(flow, PUBLIC).held[QUARRY].type is None
    flow.run([TurnEnded(turn=1)])
    assert intel_of(flow, PUBLIC).held == {}


def test_what_a_solution_told_of_identity_stays_with_the_handle_its_facing_does_not() -> None:
    flow = flow_of(TWO)
    flow.run([stepped_hunt(A1, B, Fix.SOLUTION)])
    run(flow, TurnEnded(turn=1), stepped_hunt(A1, B, Fix.DETECTED))
    held = intel_of(flow, "B").held[QUARRY]
    assert (held.fix, held.facing, held.type) == (Fix.DETECTED, None, "raider")


def test_a_shot_from_a_cloak_is_shown_on_the_handle_of_its_hunt() -> None:
    flow = flow_of(TWO)
    shot = ShotFired(
        piece=A1, weapon="B1", kind=WeaponKind.BEAM, target=B1, arc=None, dice=(3,), damage=0
    )
    flow.run([UncloakingSeen(piece=B1, side=A)])
    flow.run([shot, CloakedFired(piece=A1, side=B), ShooterExposed(piece=A1, witnesses=(B,))])
    intel = intel_of(flow, "B")
    assert intel.held[QUARRY].type == "raider"
    assert ShooterKnown(label="C1", square=HERE, side=A, type="raider") in intel.told


def test_an_old_trail_is_not_tied_to_a_shot_by_a_side_that_was_not_shot_at() -> None:
    flow = flow_of(FOUR, stepped_hunt(A1, B, Fix.DETECTED), TurnEnded(turn=1))
    flow.run([CloakedFired(piece=A1, side=C), ShooterExposed(piece=A1, witnesses=(B, C))])
    trail = intel_of(flow, "B").held[QUARRY]
    assert (trail.fix, trail.type) == (Fix.MEMORY, None)
    [marker] = intel_of(flow, "B").markers
    assert (marker.label, marker.type) == ("C2", "raider")


def test_the_end_of_a_cloaked_ship_is_told_to_its_killer_alone() -> None:
    flow = flow_of(FOUR)
    flow.run([stepped_hunt(A1, B, Fix.SOLUTION), replace(stepped_hunt(A1, C, Fix.DETECTED))])
    flow.run([ShipDestroyed(piece=A1, cause="fire", killers=(B,))])
    assert intel_of(flow, "B").told[-1] == ContactDestroyed(label="C1")
    assert QUARRY in intel_of(flow, "C").held
    assert list(flow.truth.hunts_of(C)) == [QUARRY]
    assert flow.truth.hunts_of(B) == {}


def test_the_end_of_a_ship_that_was_seen_to_uncloak_is_no_news_for_the_public() -> None:
    flow = held_flow()
    flow.run([ShipDestroyed(piece=A1, cause="fire", killers=())])
    assert intel_of(flow, "B").told[-1] == ContactDestroyed(label="C1")
    assert intel_of(flow, PUBLIC).told == ()


def test_an_uncloaking_contact_is_a_snapshot_like_any_other() -> None:
    flow = held_flow()
    [notice] = intel_of(flow, "B").told
    assert isinstance(notice, ContactSeen)
    assert notice.signatures == ("uncloaking",)
    assert intel_of(flow, "A").exposed == {}
    flow.run([TurnEnded(turn=1)])
    assert intel_of(flow, "B").held == {}
