"""Fog: a view holds what its audience's intel holds, and no name of the truth ever leaves."""

from collections.abc import Iterator
from functools import cache
from itertools import product

import pytest
from msgspec.structs import asdict, replace

from builders.intels import HELD, MARKER
from builders.learned import HABIT
from builders.matches import Course, crowd, options, play
from builders.truths import A1, B1, B2, BOARD, CRUISER, A, B, C, only, ratings, ship, truth_of
from sunglare_protocol.codec import Form, encode_server
from sunglare_protocol.geometry import Compass, Square, Vector
from sunglare_protocol.ids import OMNI, PUBLIC, Audience, Handle, OwnId, audience_of
from sunglare_protocol.messages import Frame
from sunglare_protocol.notices import RadarSeen
from sunglare_protocol.views import (
    CloakRules,
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
from sunglare_protocol.words.cloak import NoiseBlinds
from sunglare_protocol.words.ladder import Fate, Fix, Phase
from sunglare_protocol.words.pieces import Arc, TurretKind
from sunglare_protocol.words.scans import Drive, Echo, ScanType
from sunglare_protocol.words.specials import Special
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_server.match.clock.phases import Standing
from sunglare_server.match.data.scenario import CrewData, Objective
from sunglare_server.match.fog.view import view
from sunglare_server.match.intel.space import Held, Intel
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

FRESH = Held(handle=Handle("bbbbbb"), label="C10", fix=Fix.CONTACT, square=Square(1, 1), turn=3)

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
    points_up_to=4,
)
SEEN = view(INTEL, STANDING, BOARD)


def test_the_stage_is_where_the_match_stands() -> None:
    stage = SEEN.stage
    assert (stage.turn, stage.turns, stage.phase, stage.window) == (3, 20, Phase.SCAN, "3.scan.2")
    assert (stage.slot, stage.initiative, stage.sides, stage.out) == (B, (A, B, C), (A, B, C), ())


def test_contacts_stand_in_the_order_of_their_labels_and_markers_after_them() -> None:
    assert [contact.label for contact in SEEN.contacts] == ["C2", "C10", "C1"]


def test_what_is_held_is_shown_as_it_is_held() -> None:
    names = set(HELD.__struct_fields__) - {"trail"}
    shown = {name: getattr(SEEN.contacts[0], name) for name in names}
    assert shown == {name: getattr(HELD, name) for name in names}


def test_what_is_not_known_of_a_contact_is_absent() -> None:
    expected = ContactView(
        label="C10", fix=Fix.CONTACT, square=Square(1, 1), turn=3, handle=Handle("bbbbbb")
    )
    assert SEEN.contacts[1] == expected


def test_a_marker_is_a_memory_without_a_handle() -> None:
    said = asdict(MARKER)
    landed = said.pop("landing")
    assert SEEN.contacts[2] == ContactView(fix=Fix.MEMORY, landed=landed, **said)


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
        habit=HabitView(**asdict(HABIT)),
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
    assert (SEEN.points, SEEN.points_up_to) == (7, 4)
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
    rules = CloakRules(noise=NoiseBlinds.ALL)
    assert empty == View(audience=PUBLIC, stage=SEEN.stage, board=BOARD, cloak_rules=rules)


# Canaries: the names of ships and pieces in random matches.


@cache
def course_of(sides: int, ships: int, seed: int) -> Course:
    chosen = options(contact_values="yes" if seed % 2 else "no")
    return play(Course(crowd(sides, ships), chosen), seed, 70)


def frames(course: Course) -> Iterator[tuple[Audience, Frame]]:
    """Yield every frame of a match with its audience."""
    for audience, sent in course.sent.items():
        yield from ((audience, frame) for frame in only(sent, Frame))


@pytest.mark.parametrize(("sides", "ships", "seed"), [(2, 3, 5), (2, 3, 6), (3, 2, 7), (4, 2, 8)])
def test_no_frame_holds_a_true_id_or_the_name_of_a_foreign_ship(
    sides: int, ships: int, seed: int
) -> None:
    course = course_of(sides, ships, seed)
    names = {side: f"Canary{side}".encode() for side in course.state.standing.sides}
    ids = [f"{side}/S".encode() for side in names]
    posts = [(audience, post) for audience, sent in course.sent.items() for post in sent]
    for (audience, message), form in product(posts, Form):
        if audience == OMNI:
            continue
        data = encode_server(message, form)
        assert not [name for name in ids if name in data]
        foreign = [name for side, name in names.items() if audience_of(side) != audience]
        # An objective names the ship that it is about; nothing else may.
        if isinstance(message, Frame) and isinstance(message.view, View):
            bare = replace(message.view, objectives=())
            data = encode_server(replace(message, view=bare), form)
        assert not [name for name in foreign if name in data]


def test_the_canaries_would_be_found_where_they_are() -> None:
    sent = course_of(2, 3, 5).sent
    assert b"CanaryA" in encode_server(only(sent[Audience("A")], Frame)[0], Form.JSON)
    assert b"CanaryB" in encode_server(only(sent[OMNI], Frame)[0], Form.PACKED)


def test_only_omni_is_sent_the_truth() -> None:
    for audience, frame in frames(course_of(4, 2, 9)):
        assert isinstance(frame.view, TruthView) is (audience == OMNI)


def test_the_public_view_has_no_own_ships_no_points_and_no_objectives() -> None:
    views = [frame.view for audience, frame in frames(course_of(2, 3, 6)) if audience == PUBLIC]
    assert views
    for seen in only(views, View):
        assert (seen.own, seen.points, seen.objectives, seen.zone) == ((), 0, (), ())


def test_handles_in_views_are_the_viewers_own() -> None:
    handles: dict[str, set[str]] = {}
    for audience, frame in frames(course_of(2, 3, 6)):
        if isinstance(frame.view, View):
            found = {contact.handle for contact in frame.view.contacts if contact.handle}
            handles.setdefault(audience, set()).update(found)
    assert any(handles.values())
    every = [handle for found in handles.values() for handle in found]
    assert len(set(every)) == len(every)


def test_the_pieces_of_a_side_are_called_alike_in_truth_and_view() -> None:
    assert A1 == "A/S1"
    assert [own.id for own in SEEN.own] == ["S1"]
