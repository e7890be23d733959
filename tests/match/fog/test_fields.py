"""A view shows every field of what its audience knows, each where the intel has it."""

import pytest
from msgspec.structs import asdict, replace

from builders import intels
from builders.agents import CERES
from builders.ground import SITE
from builders.learned import HABIT
from builders.truths import A1, BOARD, CRUISER, A, B, C, D, ship, truth_of
from sunglare_protocol.geometry import Compass, Landing, Square
from sunglare_protocol.ids import OwnId, audience_of
from sunglare_protocol.notices import RadarSeen
from sunglare_protocol.views import (
    CloakRules,
    ContactView,
    Exposure,
    HuntView,
    ObjectiveView,
    TrackersView,
    TrackerView,
    TruthView,
    VolleyView,
    WeaponView,
)
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.cloak import (
    CloakVariant,
    NoiseBlinds,
    PassiveReveals,
    SweepSix,
    TrackerMode,
)
from sunglare_protocol.words.dossiers import Dossier
from sunglare_protocol.words.ladder import Fate, Fix, Phase
from sunglare_protocol.words.pieces import Arc, PieceKind, Relation
from sunglare_protocol.words.scans import ScanType
from sunglare_protocol.words.search import Strike
from sunglare_protocol.words.specials import Special
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_rules.cloak.trackers import Tracker, Trackers
from sunglare_server.match.clock.phases import Standing
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.data.scenario import AreaData, CrewData, Objective, Ratings, Weapon
from sunglare_server.match.fog.view import of_a_side, view
from sunglare_server.match.ids import PieceId
from sunglare_server.match.intel.agents import KnownAlert, KnownItem, SearchIntel
from sunglare_server.match.intel.space import Beset, Held, Intel, OwnPiece, Trail
from sunglare_server.match.own.ships import own_pieces
from sunglare_server.match.truth.truth import Volley

STANDING = Standing(turn=3, turns=20, phase=Phase.SCAN, sides=(A, B), out=(C,))
BIG = (4, 3, 2, 1)
KIND = replace(
    CRUISER,
    kind=PieceKind.FIGHTER,
    sensors=Ratings(visual=1, ir=2, radar=3, mass=5),
    cloak=True,
    bays=2,
    shuttle=True,
    agent_spaceship=True,
    dispensers=3,
    point_defence=4,
    flights=5,
    weapons=(
        Weapon(id="B1", kind=WeaponKind.BEAM, rank=3, turret="T1", needs=Relation.BEHIND),
        Weapon(id="P1", kind=WeaponKind.TORPEDO, rank=2, arc=Arc.FRONT, damage=BIG),
        Weapon(id="P2", kind=WeaponKind.TORPEDO, rank=1, arc=Arc.REAR),
    ),
)
SHIP = replace(
    ship(A, at=(3, 4), kind=KIND),
    crew=CrewData(pilot=1, operator=2, commander=3, gunnery=6),
    landing=Landing(body=CERES, sector=Compass.N, environs=1),
    cloaked=True,
    spent=("P1",),
    lost=("P2",),
    launched=1,
    thrust_spent=1,
    thrust_used=2,
    detected=True,
    bound_for="off",
    heat=3,
    habit=replace(HABIT, streak=3),
)
[COPY] = own_pieces(truth_of(SHIP, ship(B)), A)
OWN = replace(COPY, specials=(Special.MAS,), ecm=False, controls=OwnId("S7"))
BESIDES = {"type", "crew", "turrets", "lost", "spent", "volley", "habit", "landing"}
"""Fields of an own piece that a view calls or shows in another way."""

TRACKERS = Trackers(
    multi=Tracker(count=2, turns=3, hits=(True, False)), single=Tracker(count=1, turns=4)
)
TRAIL = Trail(trackers=TRACKERS, solution_window=True, solution_dice=False, mode=TrackerMode.DICE)
SHOWN_TRAIL = TrackersView(
    multi=TrackerView(count=2, turns=3, hits=(True, False)),
    single=TrackerView(count=1, turns=4),
    solution_window=True,
    solution_dice=False,
    mode=TrackerMode.DICE,
)
EMPTY = Intel(audience=audience_of(A), turn=3)


def test_an_own_ship_shows_what_is_known_of_it_under_the_same_names() -> None:
    [shown] = view(replace(EMPTY, own=(OWN,)), STANDING, BOARD).own
    names = set(OwnPiece.__struct_fields__) - BESIDES
    assert {name: getattr(shown, name) for name in names} == {
        name: getattr(OWN, name) for name in names
    }


def test_an_own_ship_shows_what_its_class_can_do() -> None:
    [shown] = view(replace(EMPTY, own=(OWN,)), STANDING, BOARD).own
    names = "size hull points kind drive cloak bays shuttle agent_spaceship dispensers"
    assert {name: getattr(shown, name) for name in names.split()} == {
        name: getattr(KIND, name) for name in names.split()
    }
    assert shown.type == KIND.name
    assert shown.landed == SHIP.landing
    crew = shown.crew
    assert (crew.pilot, crew.operator, crew.commander, crew.gunnery) == (1, 2, 3, 6)
    # A type without a rating is left out.
    sensors, habit = shown.sensors, shown.habit
    assert sensors == {ScanType.VISUAL: 1, ScanType.IR: 2, ScanType.RADAR: 3, ScanType.MASS: 5}
    assert habit is not None
    assert asdict(habit) == {name: getattr(SHIP.habit, name) for name in habit.__struct_fields__}


@pytest.mark.parametrize("lost", ["sensors", "cloak"])
def test_a_system_that_is_lost_does_not_work(lost: str) -> None:
    [shown] = view(replace(EMPTY, own=(replace(OWN, lost=(lost,)),)), STANDING, BOARD).own
    assert (shown.hull_sensors_work, shown.cloak_works) == (lost != "sensors", lost != "cloak")


def test_an_own_weapon_shows_whether_it_works_and_whether_it_was_spent() -> None:
    [shown] = view(replace(EMPTY, own=(OWN,)), STANDING, BOARD).own
    assert shown.weapons == (
        WeaponView(
            id="B1", kind=WeaponKind.BEAM, rank=3, turret="T1", needs=Relation.BEHIND, works=True
        ),
        WeaponView(
            id="P1",
            kind=WeaponKind.TORPEDO,
            rank=2,
            arc=Arc.FRONT,
            works=False,
            spent=True,
            damage=BIG,
        ),
        WeaponView(id="P2", kind=WeaponKind.TORPEDO, rank=1, arc=Arc.REAR, works=False),
    )


def test_a_volley_shows_its_missiles_as_the_rank_of_its_weapons() -> None:
    flying = replace(SHIP, volley=Volley(missiles=6, aim=Square(8, 8), cold=True, movements=1))
    [piece] = own_pieces(truth_of(flying, ship(B)), A)
    [shown] = view(replace(EMPTY, own=(piece,)), STANDING, BOARD).own
    assert shown.volley == VolleyView(missiles=6, aim=Square(8, 8), cold=True, movements=1)
    assert [weapon.rank for weapon in shown.weapons] == [6, 6, 6]


@pytest.mark.parametrize("fate", [Fate.IN_PLAY, Fate.DESTROYED])
def test_an_own_ship_shows_who_holds_it_and_how_it_is_hunted_while_it_is_in_play(
    fate: Fate,
) -> None:
    other = replace(TRAIL, solution_dice=True)
    beset = {
        OwnId("S1"): {
            PieceId("C>x"): Beset(fix=Fix.MEMORY, trail=other),
            PieceId("B>x"): Beset(fix=Fix.DETECTED, trail=TRAIL),
        }
    }
    exposed = {OwnId("S1"): {D: Fix.CONTACT, B: Fix.TRACKED}, OwnId("S2"): {C: Fix.TRACKED}}
    intel = replace(EMPTY, own=(replace(OWN, fate=fate),), exposed=exposed, beset=beset)
    [shown] = view(intel, STANDING, BOARD).own
    if fate is not Fate.IN_PLAY:
        assert (shown.exposed, shown.hunted) == ((), ())
        return
    holders = (Exposure(side=B, fix=Fix.TRACKED), Exposure(side=D, fix=Fix.CONTACT))
    assert shown.exposed == holders
    assert HuntView(fix=Fix.DETECTED, trackers=SHOWN_TRAIL) in shown.hunted
    later = replace(SHOWN_TRAIL, solution_dice=True)
    assert HuntView(fix=Fix.MEMORY, trackers=later) in shown.hunted
    assert len(shown.hunted) == 2


def test_hunts_stand_in_an_order_that_does_not_hang_on_who_hunts() -> None:
    one, two = Beset(fix=Fix.DETECTED, trail=TRAIL), Beset(fix=Fix.MEMORY, trail=TRAIL)
    orders = []
    for first, second in ((one, two), (two, one)):
        beset = {OwnId("S1"): {PieceId("B>x"): first, PieceId("C>x"): second}}
        [shown] = view(replace(EMPTY, own=(OWN,), beset=beset), STANDING, BOARD).own
        orders.append(shown.hunted)
    assert orders[0] == orders[1]


DOSSIER = Dossier(turn=2, variant="raider-2", damage=3)
HELD = replace(
    intels.HELD, label="C10", fix=Fix.DETECTED, alert=True, dossier=DOSSIER, trail=TRAIL
)
MARKER = replace(intels.MARKER, dossier=DOSSIER, fate=Fate.ESCAPED)


def test_a_contact_shows_all_that_is_held_and_a_marker_all_that_is_remembered() -> None:
    intel = replace(EMPTY, held={A1: HELD}, markers=(MARKER,))
    held, marker = view(intel, STANDING, BOARD).contacts
    for name in set(Held.__struct_fields__) - {"trail"}:
        assert getattr(held, name) == getattr(HELD, name), name
    assert held.trackers == SHOWN_TRAIL
    said = asdict(MARKER)
    landed = said.pop("landing")
    assert marker == ContactView(fix=Fix.MEMORY, landed=landed, **said)


@pytest.mark.parametrize("labels", [("C10", "C9"), ("C10", "C9", "C2"), ("C2", "C10", "C9")])
def test_contacts_stand_by_the_number_of_their_labels(labels: tuple[str, ...]) -> None:
    held = {PieceId(label): replace(HELD, label=label) for label in labels}
    shown = view(replace(EMPTY, held=held), STANDING, BOARD).contacts
    assert [contact.label for contact in shown] == ["C2", "C9", "C10"][-len(labels) :]


@pytest.mark.parametrize(("until", "shown"), [(2, 0), (3, 3), (5, 5)])
def test_a_nova_is_shown_while_it_blinds(until: int, shown: int) -> None:
    assert view(replace(EMPTY, nova_until=until), STANDING, BOARD).nova_until == shown


@pytest.mark.parametrize(
    ("turn", "phase", "open_"),
    [(1, Phase.PLOT, True), (1, Phase.SCAN, False), (2, Phase.PLOT, False)],
)
def test_areas_are_shown_while_units_can_be_stationed(
    turn: int, phase: Phase, *, open_: bool
) -> None:
    intel = replace(EMPTY, areas=(AreaData(at=SITE, cells=(1, 1, 3, 2)),), zone=("B2",))
    shown = view(intel, replace(STANDING, turn=turn, phase=phase), BOARD)
    assert ([area.site for area in shown.areas], shown.zone) == (
        ([SITE], ("B2",)) if open_ else ([], ())
    )


def test_the_stage_and_what_is_the_side_s_own_are_shown() -> None:
    goal = Objective(kind=ObjectiveKind.HOLD, edge=Compass.E, piece="Fox", at=SITE, ends_after=3)
    alert = KnownAlert(side=B, planet=CERES, environs=2)
    intel = replace(
        EMPTY,
        record=(RadarSeen(square=Square(2, 2)),),
        objectives=(goal,),
        points=7,
        points_up_to=4,
        search=SearchIntel(alerts=(alert,), items=(KnownItem(name="book"),), strike=Strike.NONE),
        cloaks=True,
        jammed=4,
        options=MatchOptions(
            passive_reveals="all",
            tracker_mode="dice",
            sweep_six="strict",
            noise_blinds="all",
            cloak_variant="jam",
        ),
    )
    shown = view(intel, STANDING, BOARD)
    assert shown.stage.out == (C,)
    assert (shown.audience, shown.board) == (EMPTY.audience, BOARD)
    assert (shown.points, shown.points_up_to) == (7, 4)
    assert shown.objectives == (
        ObjectiveView(kind=ObjectiveKind.HOLD, edge=Compass.E, piece="Fox", at=SITE, ends_after=3),
    )
    assert [raised.environs for raised in shown.alerts] == [2]
    assert [item.name for item in shown.items] == ["book"]
    assert shown.record == (RadarSeen(square=Square(2, 2)),)
    assert shown.strike is Strike.NONE
    assert shown.cloak_rules == CloakRules(
        cloaks=True,
        reveals=PassiveReveals.ALL,
        mode=TrackerMode.DICE,
        six=SweepSix.STRICT,
        noise=NoiseBlinds.ALL,
        variant=CloakVariant.JAM,
        jammed=4,
    )


def test_what_has_not_changed_is_the_very_part_of_the_view_before() -> None:
    """So that whoever compares two views finds at once what is the same."""
    search = SearchIntel(
        alerts=(KnownAlert(side=B, planet=CERES, environs=2),), items=(KnownItem(name="book"),)
    )
    own = (OWN, replace(OWN, id=OwnId("S2")))
    intel = replace(EMPTY, own=own, held={A1: HELD}, markers=(MARKER,), search=search)
    moved = replace(own[1], square=Square(9, 9))
    later = replace(replace(MARKER, label="C3"), turn=3)
    after = replace(
        EMPTY,
        own=(replace(OWN), moved),
        held={A1: replace(HELD)},
        markers=(replace(MARKER), later),
        search=replace(search, items=(replace(search.items[0]), KnownItem(name="map"))),
    )
    one, two = view(intel, STANDING, BOARD), view(after, STANDING, BOARD)
    assert one.own[0] is two.own[0]
    assert one.own[1] != two.own[1]
    assert one.own[1].habit is two.own[1].habit
    assert (one.contacts[0] is two.contacts[0], one.contacts[1] is two.contacts[1]) == (True, True)
    assert one.alerts is two.alerts
    assert one.items[0] is two.items[0]


def test_what_a_frame_shows_a_side_is_its_view_and_never_the_truth() -> None:
    shown = view(EMPTY, STANDING, BOARD)
    assert of_a_side(shown) is shown
    assert of_a_side(None) is None
    assert of_a_side(TruthView(stage=shown.stage, board=BOARD)) is None


def test_who_holds_a_ship_and_how_it_is_hunted_are_told_each_without_the_other() -> None:
    held = replace(EMPTY, own=(OWN,), exposed={OwnId("S1"): {B: Fix.TRACKED}})
    [shown] = view(held, STANDING, BOARD).own
    assert (shown.exposed, shown.hunted) == ((Exposure(side=B, fix=Fix.TRACKED),), ())
    hunt = Beset(fix=Fix.DETECTED, trail=TRAIL)
    hunted = replace(EMPTY, own=(OWN,), beset={OwnId("S1"): {PieceId("B>x"): hunt}})
    [shown] = view(hunted, STANDING, BOARD).own
    expected = (HuntView(fix=Fix.DETECTED, trackers=SHOWN_TRAIL),)
    assert (shown.exposed, shown.hunted) == ((), expected)
