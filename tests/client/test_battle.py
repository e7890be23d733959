"""The battle fleet: how its fleet waits, what it takes blips for, what it scans and fires at."""

import random
from itertools import pairwise
from typing import TypeVar

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.bots import contact, corvette, frigate, seen
from builders.fakeserver import CARD, MATCH, SIDE
from sunglare_client.advice import Advice
from sunglare_client.bot import BotMatch, decide
from sunglare_client.bots.battle import LOOKOUTS, BattleFleet
from sunglare_client.bots.fire.salvos import ENOUGH, Aims, Mean, salvos
from sunglare_client.bots.movement.hunting import quarries
from sunglare_client.bots.movement.musters import (
    STRIKES_WITHIN,
    gathered,
    is_compact,
    muster,
    waiting_course,
)
from sunglare_client.bots.sightings.type_hypotheses import Guises
from sunglare_protocol.geometry import Board, Compass, Planet, PlanetSize, Square, Vector
from sunglare_protocol.ids import Handle, OwnId, Side
from sunglare_protocol.messages import ClassCard
from sunglare_protocol.orders import Deploy, Fire, Order, Scan, Sensors, Thrust, Turn
from sunglare_protocol.views import ContactView, Exposure, ObjectiveView, OwnView, View
from sunglare_protocol.words.ladder import Fate, Fix, Phase
from sunglare_protocol.words.pieces import PieceKind
from sunglare_protocol.words.scans import Echo, ScanSize, ScanType
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_rules.turn.movement import AT_REST

OPEN = Board()
CARDS = (
    ClassCard(name="cruiser", size="large", hull=28, thrust=2, points=8, weapons=()),
    ClassCard(name="decoy", size="large", hull=1, thrust=3, points=0, weapons=()),
    ClassCard(name="frigate", size="medium", hull=16, thrust=3, points=4, weapons=()),
)
CHAFF = 0.1
OrderT = TypeVar("OrderT", bound=Order)


def track(square: Square, vector: Vector = AT_REST, turn: int = 5, **known: object) -> ContactView:
    """Return a live track of something large, or of what else is `known` of it."""
    fields = {"vector": vector, "facing": Compass.N, "size": Echo.LARGE, **known}
    return msgspec.structs.replace(contact(square, Fix.TRACKED, turn), **fields)


def ship(number: int, square: Square, vector: Vector = AT_REST, **changes: object) -> OwnView:
    """Return a frigate of the fleet."""
    fields = {"id": OwnId(f"S{number}"), "name": f"N{number}", "facing": Compass.E, **changes}
    return msgspec.structs.replace(frigate(square, vector), **fields)


def decoy(number: int, square: Square, vector: Vector = AT_REST) -> OwnView:
    """Return a decoy, which could thrust harder than the heaviest ship here."""
    bare: dict[str, object] = {"sensors": {}, "weapons": (), "turrets": (), "hull": 1, "points": 0}
    return ship(number, square, vector, kind=PieceKind.DECOY, thrust=3, **bare)


def battle_fleet() -> BattleFleet:
    bot = BattleFleet(seed=3)
    bot.on_start(BotMatch(match=MATCH, side=SIDE, card=CARD, classes=CARDS))
    return bot


def plotting(own: tuple[OwnView, ...], *foes: ContactView, turn: int = 5) -> View:
    return seen(Phase.PLOT, own, foes, turn=turn, board=OPEN)


def moved_on(guises: Guises, *places: Square) -> ContactView:
    """Return a track that was seen on these squares, turn after turn; all are taken in."""
    last = track(places[0])
    for turn, (before, here) in enumerate(pairwise(places), start=6):
        guises.see(plotting((), last, turn=turn))
        last = track(here, before.to(here), turn)
        guises.see(seen(Phase.SCAN, (), (last,), turn=turn, board=OPEN))
    return last


def test_a_large_blip_may_be_a_cruiser_or_a_decoy() -> None:
    guises = Guises(CARDS, CHAFF)
    assert guises.worth(track(Square(9, 9)), 3.0) == (8 + CHAFF) / 2


def test_what_thrusts_harder_than_a_cruiser_can_is_taken_for_a_decoy() -> None:
    guises = Guises(CARDS, CHAFF)
    blip = moved_on(guises, Square(9, 9), Square(12, 9))
    assert guises.worth(blip, 3.0) == CHAFF


def test_a_decoy_that_thrusts_as_a_cruiser_does_is_not_seen_through() -> None:
    guises = Guises(CARDS, CHAFF)
    blip = moved_on(guises, Square(9, 9), Square(11, 9), Square(15, 9))
    assert guises.worth(blip, 3.0) == (8 + CHAFF) / 2


def test_the_pull_of_a_planet_is_not_taken_for_thrust() -> None:
    board = Board(planets=(Planet(name="Ceres", at=Square(12, 9), size=PlanetSize.SMALL),))
    guises = Guises(CARDS, CHAFF)
    guises.see(seen(Phase.PLOT, (), (track(Square(9, 9)),), turn=6, board=board))
    blip = track(Square(12, 11), Vector(3, 2), 6)
    guises.see(seen(Phase.SCAN, (), (blip,), turn=6, board=board))
    assert guises.worth(blip, 3.0) > CHAFF


def test_what_was_never_tracked_may_be_anything() -> None:
    assert Guises(CARDS, CHAFF).worth(contact(Square(9, 9)), 3.0) == 3.0


ANCHOR = ship(1, Square(9, 9), hull=28, thrust=2)
ESCORT = ship(9, Square(8, 9))


def waited(own: OwnView, anchor: OwnView, *foes: ContactView, turns: int = 8) -> list[OwnView]:
    """Return a ship after each of some turns of waiting."""
    path = []
    for _ in range(turns):
        view = plotting((anchor, own, ESCORT), *foes)
        where = muster(Advice(view), quarries(view), Square(30, 9))
        assert where is not None
        plan = waiting_course(Advice(view), own, where)
        flight = Advice(view).flight(own, plan)
        own = msgspec.structs.replace(
            own, square=flight.square, vector=flight.vector, facing=flight.facing
        )
        path.append(own)
    return path


def test_a_ship_comes_to_the_heaviest_one_and_rests_there_facing_the_enemy() -> None:
    last = waited(ship(2, Square(9, 16)), ANCHOR, turns=12)[-1]
    assert last.square.distance_squared(ANCHOR.square) <= 4**2
    assert last.vector == AT_REST
    assert last.facing is Compass.E


def test_the_decoy_is_ahead_of_the_fleet() -> None:
    last = waited(decoy(2, Square(9, 10)), ANCHOR, turns=12)[-1]
    assert last.square.x - ANCHOR.square.x >= 4


def test_the_decoy_never_thrusts_harder_than_the_heaviest_ship_could() -> None:
    view = plotting((ANCHOR, decoy(2, Square(2, 30))))
    for own in [view.own[1], *waited(view.own[1], ANCHOR)]:
        now = plotting((ANCHOR, own, ESCORT))
        where = muster(Advice(now), (), Square(30, 9))
        assert where is not None
        plan = waiting_course(Advice(now), own, where)
        assert sum(len(order.to) for order in plan if isinstance(order, Thrust)) <= ANCHOR.thrust


@pytest.mark.parametrize(
    ("away", "turn", "waits"),
    [
        (STRIKES_WITHIN + 2, 5, True),
        (STRIKES_WITHIN - 2, 5, False),
        (STRIKES_WITHIN + 2, 12, False),
    ],
    ids=["far", "near", "late"],
)
def test_a_fleet_strikes_when_the_enemy_is_near_or_it_has_waited_long(
    away: float, turn: int, waits: bool
) -> None:
    foe = track(Square(9 + round(away), 9), turn=turn)
    view = plotting((ANCHOR, ship(2, Square(9, 12))), foe, turn=turn)
    assert (muster(Advice(view), quarries(view), Square(30, 9)) is not None) is waits


def test_who_is_to_leave_over_an_edge_does_not_wait() -> None:
    runs = ObjectiveView(kind=ObjectiveKind.ESCAPE, edge=Compass.S, piece="N1")
    fleet = (ANCHOR, ship(2, Square(9, 12)))
    view = msgspec.structs.replace(plotting(fleet), objectives=(runs,))
    assert muster(Advice(view), (), Square(30, 9)) is None


def test_a_ship_alone_does_not_wait() -> None:
    assert muster(Advice(plotting((ANCHOR,))), (), Square(30, 9)) is None


@pytest.mark.parametrize(
    ("zone", "gathers"),
    [(("A2", "B2", "A3", "B3"), True), (("B6", "C6", "D6", "E6", "F6", "G6"), False)],
    ids=["a corner", "a line"],
)
def test_a_fleet_gathers_in_a_corner_and_pickets_in_a_line_do_not(
    zone: tuple[str, ...], gathers: bool
) -> None:
    assert is_compact(zone) is gathers


def test_a_fleet_is_deployed_at_rest_in_its_zone_facing_the_enemy() -> None:
    view = seen(Phase.PLOT, (ANCHOR,), turn=1, zone=("A1", "B1"), board=OPEN)
    for seed in range(20):
        order = gathered(view, ANCHOR, Square(30, 30), random.Random(seed).randint)
        assert Advice(view).check([order]) is None
        assert (order.vector, order.facing) == (AT_REST, Compass.SE)


def ordered(view: View, kind: type[OrderT]) -> list[OrderT]:
    return [
        order for order in decide(battle_fleet(), view, strict=True) if isinstance(order, kind)
    ]


def test_all_but_a_few_ships_fold_their_sensors_while_they_wait() -> None:
    own = tuple(ship(number, Square(9, 8 + number), popped_out=True) for number in range(1, 6))
    folded = [order for order in ordered(plotting(own), Sensors) if not order.out]
    assert len(folded) == len(own) - LOOKOUTS


def test_all_ships_bring_their_sensors_out_once_they_strike() -> None:
    own = tuple(ship(number, Square(9, 8 + number), popped_out=False) for number in range(1, 6))
    out = [order for order in ordered(plotting(own, track(Square(15, 9))), Sensors) if order.out]
    assert len(out) == len(own)


def test_a_fleet_that_starts_at_fixed_places_waits_too() -> None:
    bot, own = BattleFleet(seed=3), (ANCHOR, ship(2, Square(9, 20)))
    card = msgspec.structs.replace(CARD, zones={})
    bot.on_start(BotMatch(match=MATCH, side=SIDE, card=card, classes=CARDS))
    orders = decide(bot, plotting(own, turn=1), strict=True)
    assert any(isinstance(order, Thrust | Turn) and order.ship == "S2" for order in orders)


def test_a_set_up_deploys_the_decoy_too() -> None:
    view = seen(Phase.PLOT, (ANCHOR, decoy(2, Square(2, 2))), turn=1, zone=("A1",), board=OPEN)
    assert [order.ship for order in ordered(view, Deploy)] == ["S1", "S2"]


def test_two_scans_keep_hold_of_two_tracks_that_are_far_apart() -> None:
    foes = (track(Square(5, 35)), track(Square(35, 35), label="C2", handle=Handle("other")))
    view = seen(Phase.SCAN, (ship(1, Square(9, 9)), ship(2, Square(12, 9))), foes, board=OPEN)
    places = [str(order.at) for order in ordered(view, Scan)]
    assert len(places) == 2
    assert {place[0] < "E" for place in places} == {True, False}


def test_a_scan_goes_where_a_piece_is_held_and_not_where_one_might_be() -> None:
    view = seen(Phase.SCAN, (corvette(Square(9, 9)),), (track(Square(33, 33)),), board=OPEN)
    [scan] = ordered(view, Scan)
    assert str(scan.at)[0] in "FGH"
    assert int(str(scan.at)[1:]) >= 6


def test_a_cloaked_ship_is_not_asked_to_scan_however_good_its_sensors_are() -> None:
    raider = ship(1, Square(9, 9), cloak=True, cloaked=True, sensors=dict.fromkeys(ScanType, 4))
    own = (raider, ship(2, Square(12, 9)), ship(3, Square(14, 9)))
    view = seen(Phase.SCAN, own, (track(Square(33, 33)),), board=OPEN)
    assert sorted(order.ship for order in ordered(view, Scan)) == ["S2", "S3"]


def exposed(own: OwnView) -> OwnView:
    """Return a ship as it is once the other side holds it."""
    return msgspec.structs.replace(own, exposed=(Exposure(side=Side("B"), fix=Fix.CONTACT),))


def scanned(own: OwnView, *foes: ContactView) -> Scan:
    [scan] = ordered(seen(Phase.SCAN, (own,), foes, board=OPEN), Scan)
    return scan


def test_a_piece_that_is_no_track_yet_gets_the_radar_of_a_ship_with_nothing_to_lose() -> None:
    foe = contact(Square(9, 5))
    hidden = msgspec.structs.replace(corvette(Square(9, 9)), facing=Compass.N)
    assert scanned(hidden, foe).type is not ScanType.RADAR
    assert scanned(exposed(hidden), foe).type is ScanType.RADAR


def test_a_track_near_by_is_held_by_a_scan_of_few_squares() -> None:
    scan = scanned(corvette(Square(9, 9)), track(Square(8, 7)))
    assert (scan.size, scan.at) == (ScanSize.SQUARE, Square(8, 7))


def test_a_ship_scans_with_the_sensors_that_it_has() -> None:
    mass = msgspec.structs.replace(corvette(Square(9, 9)), sensors={ScanType.MASS: 4})
    assert scanned(mass, track(Square(12, 7))).type is ScanType.MASS


@pytest.mark.parametrize(("points", "gives_up"), [(0, True), (30, False)], ids=["behind", "ahead"])
def test_a_fleet_that_is_broken_gives_up_if_it_is_behind(points: int, gives_up: bool) -> None:
    lost = ship(1, Square(9, 9), hull=28, damage=28, points=28, fate=Fate.DESTROYED)
    view = msgspec.structs.replace(plotting((lost, ship(2, Square(12, 9)))), points=points)
    assert battle_fleet().gives_up(view) is gives_up


GUNS = [(OwnId(f"S{number}"), "B1") for number in range(5)]
TARGETS = [Handle(letter * 6) for letter in "abc"]
HELD = {
    at: track(Square(10 + number, 10), label=f"C{number}", handle=at)
    for number, at in enumerate(TARGETS)
}


@st.composite
def aimed(draw: st.DrawFn) -> Aims:
    """Return weapons that each bear on some targets."""
    found: Aims = {}
    for gun in GUNS:
        ats = draw(st.lists(st.sampled_from(TARGETS), min_size=1, unique=True))
        found[gun] = {
            at: Mean(draw(st.floats(0.1, 8)), Fire(ship=gun[0], weapon=gun[1], at=at))
            for at in ats
        }
    return found


@given(aimed(), st.floats(1, 30))
def test_every_weapon_that_bears_on_something_fires_once(found: Aims, left: float) -> None:
    shots = salvos(found, HELD, lambda _: 4.0, lambda _: left)
    assert sorted((shot.ship, shot.weapon) for shot in shots) == GUNS


@given(aimed(), st.floats(1, 10))
def test_nothing_fires_at_what_has_had_enough_while_another_target_has_not(
    found: Aims, left: float
) -> None:
    had = dict.fromkeys(TARGETS, 0.0)
    enough = ENOUGH * left - 1e-6
    for shot in salvos(found, HELD, lambda _: 4.0, lambda _: left):
        assert shot.at is not None
        options = found[shot.ship, shot.weapon]
        assert had[shot.at] < enough or all(had[at] >= enough for at in options)
        had[shot.at] += options[shot.at].damage


def test_all_fire_at_the_piece_that_the_salvo_finishes() -> None:
    found: Aims = {
        gun: {at: Mean(4.0, Fire(ship=gun[0], weapon=gun[1], at=at)) for at in TARGETS[:2]}
        for gun in GUNS[:3]
    }
    left = {TARGETS[0]: 20.0, TARGETS[1]: 11.0}
    shots = salvos(found, HELD, lambda _: 4.0, lambda target: left[target.handle or TARGETS[0]])
    assert {shot.at for shot in shots} == {TARGETS[1]}
