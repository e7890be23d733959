"""Fog: a view holds what its audience's intel holds, and no name of the truth ever leaves."""

import pytest
from msgspec.structs import replace

from builders.learned import HABIT
from builders.matches import Course, crowd, play
from builders.truths import A1, B1, B2, BOARD, CRUISER, A, B, C, ratings, ship, truth_of
from sunglare_protocol.codec import Form, encode_server
from sunglare_protocol.geometry import Compass, Landing, Square, Vector
from sunglare_protocol.ids import OMNI, PUBLIC, Audience, Handle, OwnId, audience_of
from sunglare_protocol.messages import Frame
from sunglare_protocol.notices import RadarSeen
from sunglare_protocol.views import (
    ContactView,
    Crew,
    Exposure,
    HabitView,
    ObjectiveView,
    OwnView,
    TruthView,
    TurretView,
    View,
)
from sunglare_protocol.words.ladder import Fate, Fix, Phase
from sunglare_protocol.words.pieces import Arc, TurretKind
from sunglare_protocol.words.scans import Drive, Echo, ScanType
from sunglare_protocol.words.specials import Special
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_server.match.clock.phases import Standing
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.data.scenario import CrewData, Objective
from sunglare_server.match.fog.view import view
from sunglare_server.match.intel.space import Held, Intel, Marker
from sunglare_server.match.own.ships import own_pieces

STANDING = Standing(
    turn=3,
    turns=20,
    phase=Phase.SCAN,
    sides=(A, B, C),
    slot=1,
    slots=(C, B, A),
    initiative=(A, B, C),
    out=(),
)
OWN = replace(
    ship(A, at=(3, 4), kind=CRUISER),
    vector=Vector(1, -2),
    facing=Compass.SE,
    crew=CrewData(pilot=2, operator=1, commander=3),
    powered=False,
    starting=True,
    popped_out=True,
    lost=("B1", "screens"),
    drive_losses=1,
    damage=5,
    thrust_spent=2,
    thrust_used=4,
    habit=HABIT,
)
HELD = Held(
    handle=Handle("aaaaaa"),
    label="C2",
    fix=Fix.TRACKED,
    square=Square(8, 9),
    turn=3,
    signatures=("mass_hull",),
    signal=4,
    vector=Vector(0, 1),
    facing=Compass.W,
    size=Echo.SMALL,
    side=B,
    type="corvette",
)
FRESH = Held(handle=Handle("bbbbbb"), label="C10", fix=Fix.CONTACT, square=Square(1, 1), turn=3)
MARKER = Marker(
    label="C1",
    square=Square(5, 5),
    turn=2,
    signatures=("radar",),
    vector=Vector(1, 1),
    facing=Compass.N,
    size=Echo.LARGE,
    side=C,
    type="cruiser",
    landing=Landing(body="Rock", sector=Compass.E),
    fate=Fate.DESTROYED,
)
INTEL = Intel(
    audience=Audience("A"),
    turn=3,
    own=own_pieces(truth_of(OWN, ship(B)), A),
    held={B2: FRESH, B1: HELD},
    markers=(MARKER,),
    record=(RadarSeen(square=Square(2, 2)),),
    exposed={OwnId("S1"): {C: Fix.CONTACT, B: Fix.TRACKED}},
    objectives=(Objective(kind=ObjectiveKind.ESCAPE, edge=Compass.N),),
    zone=("B2",),
    points=7,
)
SEEN = view(INTEL, STANDING, BOARD)


def test_the_stage_is_where_the_match_stands() -> None:
    stage = SEEN.stage
    assert (stage.turn, stage.turns, stage.phase, stage.window) == (3, 20, Phase.SCAN, "3.scan.2")
    assert (stage.slot, stage.initiative, stage.sides, stage.out) == (B, (A, B, C), (A, B, C), ())


def test_contacts_stand_in_the_order_of_their_labels_and_markers_after_them() -> None:
    assert [contact.label for contact in SEEN.contacts] == ["C2", "C10", "C1"]


def test_what_is_held_is_shown_as_it_is_held() -> None:
    shown = SEEN.contacts[0]
    for name in HELD.__struct_fields__:
        if name == "trail":
            continue
        assert getattr(shown, name) == getattr(HELD, name)


def test_what_is_not_known_of_a_contact_is_absent() -> None:
    expected = ContactView(
        label="C10", fix=Fix.CONTACT, square=Square(1, 1), turn=3, handle=Handle("bbbbbb")
    )
    assert SEEN.contacts[1] == expected


def test_a_marker_is_a_memory_without_a_handle() -> None:
    assert SEEN.contacts[2] == ContactView(
        label="C1",
        fix=Fix.MEMORY,
        square=Square(5, 5),
        turn=2,
        signatures=("radar",),
        vector=Vector(1, 1),
        facing=Compass.N,
        size=Echo.LARGE,
        side=C,
        type="cruiser",
        landed=Landing(body="Rock", sector=Compass.E),
        fate=Fate.DESTROYED,
    )


def test_an_own_ship_is_shown_with_all_its_owner_may_know() -> None:
    [shown] = SEEN.own
    weapons = {weapon.id: weapon.works for weapon in shown.weapons}
    assert weapons == {"B1": False, "P1": True}
    assert replace(shown, weapons=()) == OwnView(
        id=OwnId("S1"),
        name="CanaryA1",
        type="cruiser",
        square=Square(3, 4),
        vector=Vector(1, -2),
        facing=Compass.SE,
        size=CRUISER.size,
        echo=Echo.LARGE,
        hull=28,
        points=8,
        damage=5,
        screens=0,
        thrust=1,
        drive=Drive.IMPULSE,
        sensors=dict.fromkeys(ScanType, 2),
        crew=Crew(pilot=2, operator=1, commander=3),
        powered=False,
        starting=True,
        popped_out=True,
        hull_sensors_work=True,
        turrets=(TurretView(id="T1", kind=TurretKind.DOUBLE, arcs=(Arc.FRONT, Arc.REAR)),),
        firing_arcs=(Arc.FULL_FRONT,),
        thrust_spent=2,
        thrust_used=4,
        habit=HabitView(
            turn=HABIT.turn,
            square=HABIT.square,
            type=HABIT.type,
            size=HABIT.size,
            at=HABIT.at,
            streak=HABIT.streak,
        ),
        specials=(Special.MAS,),
        exposed=(Exposure(side=B, fix=Fix.TRACKED), Exposure(side=C, fix=Fix.CONTACT)),
    )
    assert ratings(2) == OWN.type.sensors


def test_lost_hull_sensors_do_not_work() -> None:
    blind = replace(OWN, lost=("sensors",), popped_out=False)
    intel = replace(INTEL, own=own_pieces(truth_of(blind, ship(B)), A))
    assert not view(intel, STANDING, BOARD).own[0].hull_sensors_work


def test_record_points_and_objectives_are_the_audiences_own() -> None:
    assert SEEN.audience == "A"
    assert SEEN.record == (RadarSeen(square=Square(2, 2)),)
    assert SEEN.points == 7
    assert SEEN.objectives == (ObjectiveView(kind=ObjectiveKind.ESCAPE, edge=Compass.N),)
    assert SEEN.board == BOARD


@pytest.mark.parametrize(
    ("turn", "phase", "zone"),
    [(1, Phase.PLOT, ("B2",)), (1, Phase.SCAN, ()), (2, Phase.PLOT, ())],
    ids=["plot of turn 1", "later in turn 1", "turn 2"],
)
def test_the_zone_is_shown_while_ships_can_be_deployed(
    turn: int, phase: Phase, zone: tuple[str, ...]
) -> None:
    standing = replace(STANDING, turn=turn, phase=phase, slot=0)
    assert view(INTEL, standing, BOARD).zone == zone


def test_a_ship_out_of_play_is_exposed_to_nobody() -> None:
    gone = replace(OWN, fate=Fate.ESCAPED)
    intel = replace(INTEL, own=own_pieces(truth_of(gone, ship(B)), A))
    [shown] = view(intel, STANDING, BOARD).own
    assert (shown.exposed, shown.fate) == ((), Fate.ESCAPED)


def test_the_own_pieces_are_those_of_the_side_and_no_other() -> None:
    truth = truth_of(ship(A), ship(A, 2), ship(B))
    assert [piece.name for piece in own_pieces(truth, A)] == ["CanaryA1", "CanaryA2"]


def test_an_audience_that_has_learned_nothing_sees_the_board_and_the_stage() -> None:
    empty = view(Intel(audience=PUBLIC), STANDING, BOARD)
    assert empty == View(audience=PUBLIC, stage=SEEN.stage, board=BOARD)


# Canaries: the names of ships and pieces in random matches.


def course_of(sides: int, ships: int, seed: int) -> Course:
    options = MatchOptions(clock="test", contact_values="yes" if seed % 2 else "no")
    return play(Course(crowd(sides, ships), options), seed, 70)


@pytest.mark.parametrize(("sides", "ships", "seed"), [(2, 3, 5), (2, 3, 6), (3, 2, 7), (4, 2, 8)])
def test_no_frame_holds_a_true_id_or_the_name_of_a_foreign_ship(
    sides: int, ships: int, seed: int
) -> None:
    course = course_of(sides, ships, seed)
    names = {side: f"Canary{side}".encode() for side in course.state.standing.sides}
    ids = [f"{side}/S".encode() for side in names]
    for audience, sent in course.sent.items():
        if audience == OMNI:
            continue
        for message in sent:
            for form in Form:
                data = encode_server(message, form)
                assert not [name for name in ids if name in data]
                foreign = [name for side, name in names.items() if audience_of(side) != audience]
                # An objective names the ship that it is about; nothing else may.
                if isinstance(message, Frame) and isinstance(message.view, View):
                    bare = replace(message.view, objectives=())
                    data = encode_server(replace(message, view=bare), form)
                assert not [name for name in foreign if name in data]


def test_the_canaries_would_be_found_where_they_are() -> None:
    course = course_of(2, 3, 5)
    frames = [post for post in course.sent[Audience("A")] if isinstance(post, Frame)]
    assert b"CanaryA" in encode_server(frames[0], Form.JSON)
    truths = [post for post in course.sent[OMNI] if isinstance(post, Frame)]
    assert b"CanaryB" in encode_server(truths[0], Form.PACKED)


def test_only_omni_is_sent_the_truth() -> None:
    course = course_of(4, 2, 9)
    for audience, sent in course.sent.items():
        for message in sent:
            if isinstance(message, Frame):
                assert isinstance(message.view, TruthView) is (audience == OMNI)


def test_the_public_view_has_no_own_ships_no_points_and_no_objectives() -> None:
    course = course_of(2, 3, 6)
    for message in course.sent[PUBLIC]:
        if isinstance(message, Frame) and isinstance(message.view, View):
            seen = message.view
            assert (seen.own, seen.points, seen.objectives, seen.zone) == ((), 0, (), ())


def test_handles_in_views_are_the_viewers_own() -> None:
    course = course_of(2, 3, 6)
    handles: dict[str, set[str]] = {}
    for audience, sent in course.sent.items():
        for message in sent:
            if isinstance(message, Frame) and isinstance(message.view, View):
                found = {contact.handle for contact in message.view.contacts if contact.handle}
                handles.setdefault(audience, set()).update(found)
    assert any(handles.values())
    every = [handle for found in handles.values() for handle in found]
    assert len(set(every)) == len(every)


def test_the_pieces_of_a_side_are_called_alike_in_truth_and_view() -> None:
    assert A1 == "A/S1"
    assert [own.id for own in SEEN.own] == ["S1"]
