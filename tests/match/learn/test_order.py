"""Notices, and that nothing hidden orders what a side is told."""

from typing import get_args

import pytest
from msgspec.structs import replace

from builders.learned import contact, declared, flow_of, intel_of, missed, shot, tracked
from builders.perceived import ESCAPE, FOUR, HERE, LANDING, S1, TWO, gained, handle_of
from builders.truths import A1, A2, B1, A, B, in_other_order, only, ship, truth_of, with_ship
from sunglare_protocol.geometry import Compass, Square
from sunglare_protocol.ids import OMNI, PUBLIC
from sunglare_protocol.notices import (
    ContactDestroyed,
    ContactLanded,
    ContactLeft,
    ContactSeen,
    JamOver,
    JamSet,
    Notice,
    OwnHit,
    OwnInScan,
    OwnSystemLost,
    OwnTracked,
    RadarSeen,
    ScanAnswered,
    ScanResult,
    ShooterKnown,
    ShotResult,
    TrackCoasts,
    TrackGained,
    TrackLost,
)
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.pieces import Arc
from sunglare_protocol.words.scans import Signature
from sunglare_server.match.absorb.causes import NOTICE_ORDER, NOTICE_RANK
from sunglare_server.match.events.cloak import JamEnded, SpaceJammed
from sunglare_server.match.events.space import (
    Event,
    RadarGaveAway,
    ScanFinished,
    ShipDestroyed,
    ShipExamined,
    ShooterExposed,
    SystemLost,
    TrackEnded,
    TurnEnded,
)
from sunglare_server.match.ids import PieceId

# Notices.


def test_each_side_is_told_by_its_own_notices() -> None:
    flow = flow_of(TWO)
    flow.run([contact(A1, B), ScanFinished(piece=B1, found=(A1,), tracked=(), roll=3)])
    held_now = intel_of(flow, "B").held[A1]
    assert intel_of(flow, "B").told == (
        ContactSeen(handle=held_now.handle, label="C1", square=HERE, signatures=("visual_hull",)),
        ScanResult(ship=S1, found=(held_now.handle,), roll=3),
    )
    flow.run([tracked(A1, B)])
    assert intel_of(flow, "B").told[-1] == TrackGained(
        handle=held_now.handle, label="C1", square=HERE
    )
    assert intel_of(flow, "A").told == (OwnTracked(ship=S1, side=B),)
    flow.run([shot(B1, A1)])
    assert intel_of(flow, "B").told[-1] == ShotResult(
        ship=S1, weapon="B1", at=held_now.handle, damage=2, dice=(5, 4), arc=Arc.FULL_FRONT
    )
    flow.run([ShooterExposed(piece=A1, witnesses=(B,))])
    assert intel_of(flow, "B").told[-1] == ShooterKnown(
        label="C1", square=HERE, side=A, type="frigate"
    )
    flow.run([missed(A1, B)])
    assert intel_of(flow, "B").told[-1] == TrackCoasts(handle=held_now.handle, label="C1")
    flow.run([TrackEnded(piece=A1, side=B)])
    assert intel_of(flow, "B").told[-1] == TrackLost(label="C1")


@pytest.mark.parametrize(
    ("event", "notice"),
    [
        (ESCAPE, ContactLeft(label="C1")),
        (ShipDestroyed(piece=A1, cause="fire", killers=()), ContactDestroyed(label="C1")),
        (LANDING, ContactLanded(label="C1", body="Ceres", sector=Compass.N)),
    ],
    ids=["escapes", "is destroyed", "lands"],
)
def test_the_end_of_a_live_track_is_told_by_its_label(event: Event, notice: object) -> None:
    flow = gained()
    flow.run([event])
    assert intel_of(flow, "B").told[-1] == notice
    assert intel_of(flow, PUBLIC).told[-1] == notice


def test_the_public_record_of_a_turn_is_cleared_with_it() -> None:
    flow = flow_of(TWO, declared(A1), RadarGaveAway(piece=A1))
    for audience in ("A", "B", PUBLIC, OMNI):
        kinds = [type(notice) for notice in intel_of(flow, audience).record]
        assert kinds == [ScanAnswered, RadarSeen]
    flow.run([TurnEnded(turn=1)])
    assert all(intel_of(flow, audience).record == () for audience in ("A", "B", PUBLIC, OMNI))


# Order: first what brings about, then what is brought about.


def test_a_scan_is_told_before_that_its_radar_gave_the_ship_away() -> None:
    flow = flow_of(TWO)
    flow.run([RadarGaveAway(piece=A1), declared(A1)])
    for audience in ("A", "B", PUBLIC, OMNI):
        kinds = [type(notice) for notice in intel_of(flow, audience).record]
        assert kinds == [ScanAnswered, RadarSeen]


def test_that_a_ship_was_examined_is_told_before_that_it_is_tracked() -> None:
    flow = flow_of(TWO)
    seen = ShipExamined(
        piece=A1, side=B, signal=3, signatures=(Signature.VISUAL_HULL, Signature.MASS_HULL)
    )
    flow.run([contact(A1, B), tracked(A1, B), seen])
    kinds = [type(notice) for notice in intel_of(flow, "A").told]
    assert kinds == [OwnInScan, OwnTracked]


def test_a_hit_is_told_before_the_damage_it_does_and_ship_after_ship_by_their_names() -> None:
    fleet = truth_of(*(ship(A, number, (5, number)) for number in (10, 2, 1)), ship(B, 1, (5, 8)))
    flow = flow_of(fleet)
    flow.run([contact(PieceId(f"A/S{number}"), B) for number in (1, 2, 10)])
    # Point defence stops missiles alone, and a volley comes through no arc.
    volley = replace(shot(B1, A1), kind=WeaponKind.SALVO, arc=None)
    hits = [
        replace(volley, target=PieceId(f"A/S{number}"), damage=number, stopped=number % 2)
        for number in (10, 1, 2)
    ]
    flow.run([SystemLost(piece=PieceId("A/S1"), system="drive", die=6, needed=6), *hits])
    told = intel_of(flow, "A").told
    assert [notice.ship for notice in only(told, OwnHit)] == ["S1", "S2", "S10"]
    assert [type(notice) for notice in told] == [OwnHit, OwnHit, OwnHit, OwnSystemLost]


def test_notices_alike_but_for_their_rest_come_in_an_order_of_their_own() -> None:
    light, heavy = shot(B1, A1, 1), shot(B1, A1, 7)
    told = []
    for hits in ((light, heavy), (heavy, light)):
        flow = flow_of(truth_of(ship(A, 1, (5, 5)), ship(B, 1, (5, 8))))
        flow.run([contact(A1, B)])
        flow.run(hits)
        told.append(intel_of(flow, "A").told)
    assert told[0] == told[1]


def test_public_facts_without_a_name_have_their_place_too() -> None:
    flow = flow_of(TWO)
    flow.run([JamEnded(turn=1), SpaceJammed(until=3, dice=(2,)), RadarGaveAway(piece=A1)])
    kinds = [type(notice) for notice in intel_of(flow, PUBLIC).record]
    assert kinds == [RadarSeen, JamSet, JamOver]


def test_every_kind_of_notice_has_one_place_in_the_order_of_cause() -> None:
    assert len(set(NOTICE_ORDER)) == len(NOTICE_ORDER)
    assert set(NOTICE_ORDER) == set(get_args(Notice))
    assert [*NOTICE_RANK] == [*NOTICE_ORDER]


# Order: nothing hidden orders anything.

FLEET = truth_of(
    ship(B, at=(1, 1)),
    ship(A, 1, (12, 3)),
    ship(A, 2, (3, 9)),
    ship(A, 3, (3, 4)),
    ship(A, 4, (20, 1)),
)
FOUND = [contact(PieceId(f"A/S{number}"), B) for number in (1, 2, 3, 4)]


def test_labels_follow_the_squares_of_the_contacts() -> None:
    flow = flow_of(FLEET)
    flow.run(FOUND)
    held_now = intel_of(flow, "B").held
    by_label = sorted(held_now.values(), key=lambda held: held.label)
    assert [held.square for held in by_label] == [(3, 4), (3, 9), (12, 3), (20, 1)]


@pytest.mark.parametrize("seed", range(6))
def test_the_hidden_order_of_ships_and_events_orders_no_notice(seed: int) -> None:
    straight, shuffled = flow_of(FLEET), flow_of(in_other_order(FLEET, seed))
    straight.run(FOUND)
    shuffled.run(FOUND[seed % 4 :] + FOUND[: seed % 4])
    for audience in ("B", PUBLIC):
        assert intel_of(straight, audience).told == intel_of(shuffled, audience).told
    everywhere = [
        ShooterExposed(piece=PieceId(f"A/S{number}"), witnesses=(B,)) for number in (1, 2, 3, 4)
    ]
    straight.run(everywhere)
    shuffled.run(list(reversed(everywhere)))
    for audience in ("B", PUBLIC):
        assert intel_of(straight, audience).told == intel_of(shuffled, audience).told


def test_the_result_of_a_scan_lists_handles_in_the_order_of_their_labels() -> None:
    flow = flow_of(FLEET)
    pieces = tuple(event.piece for event in FOUND)
    flow.run([*FOUND, ScanFinished(piece=B1, found=pieces, tracked=pieces[:2], roll=9)])
    held_now = sorted(intel_of(flow, "B").held.values(), key=lambda held: held.label)
    [result] = only(intel_of(flow, "B").told, ScanResult)
    assert result.found == tuple(held.handle for held in held_now)


def test_swapping_two_ships_that_nobody_can_tell_apart_changes_nothing_for_the_holder() -> None:
    swapped = with_ship(with_ship(FLEET, A1, square=Square(3, 9)), A2, square=Square(12, 3))
    flows = [flow_of(FLEET), flow_of(swapped)]
    for flow in flows:
        flow.run(FOUND)
    assert intel_of(flows[0], "B").told == intel_of(flows[1], "B").told
    assert intel_of(flows[0], PUBLIC).told == intel_of(flows[1], PUBLIC).told


def test_handles_of_different_viewers_have_nothing_in_common() -> None:
    flow = flow_of(FOUR, RadarGaveAway(piece=A1))
    handles = {handle_of(flow, side) for side in "BCD"}
    assert len(handles) == 3


def test_labels_of_a_viewer_count_what_it_gained_and_nothing_hidden() -> None:
    flow = flow_of(FOUR, contact(A1, B))
    flow.run([contact(B1, A), contact(PieceId("C/S1"), A)])
    assert [held.label for held in intel_of(flow, "B").held.values()] == ["C1"]
    assert sorted(held.label for held in intel_of(flow, "A").held.values()) == ["C1", "C2"]
