"""The raider at moments: how its raiders look, run, hide and leave, and how its pickets search."""

import msgspec
import pytest

from builders.bots import contact, corvette, seen
from builders.fakeserver import CARD, MATCH, SIDE
from sunglare_client.advice import Advice
from sunglare_client.bot import BotMatch, decide
from sunglare_client.bots.raider import Raider
from sunglare_protocol.geometry import Board, Compass, Square, Vector, box_named
from sunglare_protocol.ids import Handle, OwnId, Side
from sunglare_protocol.notices import Notice, ScanAnswered, SweepSeen
from sunglare_protocol.orders import Cloak, Deploy, Fire, Listen, Order, Scan, Sensors, Sweep
from sunglare_protocol.views import (
    CloakRules,
    ContactView,
    ObjectiveView,
    OwnView,
    TrackersView,
    View,
)
from sunglare_protocol.words.ladder import Fate, Fix, Phase
from sunglare_protocol.words.scans import Answers, ScanSize, ScanType
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_rules.turn.movement import MoveEnding, ending

OPEN = Board()
SOUTH = ObjectiveView(ObjectiveKind.ESCAPE, edge=Compass.S)
PICKETS = tuple(contact(Square(x, 25), turn=1) for x in (9, 16))
"""Two of the enemy, both in the west."""

SCANNED = ScanAnswered(
    side=Side("B"),
    type=ScanType.VISUAL,
    size=ScanSize.BOX,
    at="D4",
    strength=1,
    answers=Answers(glare=False, from_well=False, touches_well=False),
    effective=1,
)
SWEPT = SweepSeen(square=Square(9, 25))


def raider(name: str, square: Square, **changes: object) -> OwnView:
    """Return a ship with a cloak that faces south; nothing of it is switched off."""
    ship = corvette(square, Vector(0, 2))
    return msgspec.structs.replace(
        ship, id=OwnId(name), facing=Compass.S, cloak=True, cloak_works=True, **changes
    )


def picket(number: int, x: int) -> OwnView:
    """Return a ship of a line that faces north."""
    return msgspec.structs.replace(
        corvette(Square(x, 25)), id=OwnId(f"S{number}"), facing=Compass.N
    )


def known(view: View, *objectives: ObjectiveView, points: int = 0) -> View:
    """Return the view in a scenario with cloaks, in which the viewer has these objectives."""
    rules = CloakRules(cloaks=True)
    return msgspec.structs.replace(view, cloak_rules=rules, objectives=objectives, points=points)


def raiding(
    *ships: OwnView,
    phase: Phase = Phase.PLOT,
    contacts: tuple[ContactView, ...] = PICKETS,
    turn: int = 2,
    points: int = 0,
    zone: tuple[str, ...] = (),
) -> View:
    view = seen(phase, ships, contacts, turn=turn, zone=zone, board=OPEN)
    return known(view, SOUTH, points=points)


def line(phase: Phase, *contacts: ContactView, turn: int = 3, zone: tuple[str, ...] = ()) -> View:
    ships = tuple(picket(number, x) for number, x in enumerate((8, 16, 24, 32), 1))
    return known(seen(phase, ships, contacts, turn=turn, zone=zone, board=OPEN))


def ordered(view: View, *notices: Notice) -> tuple[Order, ...]:
    """Return what a new raider orders that has heard the notices."""
    bot = Raider(3)
    zones = {SIDE: ("A1",), Side("B"): ("C5", "D5")}
    bot.on_start(BotMatch(match=MATCH, side=SIDE, card=msgspec.structs.replace(CARD, zones=zones)))
    for notice in notices:
        bot.on_notice(notice)
    return decide(bot, view, strict=True)


def of_ship(orders: tuple[Order, ...], name: str) -> tuple[Order, ...]:
    return tuple(order for order in orders if getattr(order, "ship", None) == name)


EAST, WEST = raider("S1", Square(28, 2)), raider("S2", Square(11, 2))


def test_raiders_begin_shown_in_the_row_farthest_from_their_edge_and_look_out() -> None:
    orders = ordered(raiding(EAST, WEST, contacts=(), turn=1, zone=("C1", "D1", "E1")))
    starts = [order for order in orders if isinstance(order, Deploy)]
    assert [start.ship for start in starts] == ["S1", "S2"]
    for start in starts:
        assert (start.at.y, start.facing, start.cloaked) == (0, Compass.S, False)
    assert starts[0].at != starts[1].at


def test_the_raider_that_passes_the_fewest_guns_runs_and_the_other_waits() -> None:
    view = raiding(EAST, WEST)
    orders = ordered(view)
    flown = {ship.id: Advice(view).flight(ship, of_ship(orders, ship.id)) for ship in view.own}
    assert flown[EAST.id].vector.dy > EAST.vector.dy
    assert flown[WEST.id].vector.dy <= WEST.vector.dy


def test_a_runner_flies_aside_of_a_gun_that_lies_ahead() -> None:
    ahead = contact(Square(20, 20), turn=1)
    view = raiding(raider("S1", Square(19, 6)), contacts=(ahead,))
    flight = Advice(view).flight(view.own[0], ordered(view))
    assert abs(flight.square.x - ahead.square.x) > 1


@pytest.mark.parametrize(
    ("told", "hides"),
    [((), True), ((SCANNED,), True), ((SWEPT,), False), ((SCANNED, SWEPT), True)],
    ids=["nothing", "scans", "sweeps", "both"],
)
def test_a_runner_cloaks_unless_the_enemy_only_sweeps(
    told: tuple[Notice, ...], hides: bool
) -> None:
    orders = ordered(raiding(EAST), *told)
    assert (Cloak(ship=EAST.id, on=True) in orders) is hides


def test_a_runner_that_is_cloaked_drops_its_cloak_when_the_enemy_only_sweeps() -> None:
    cloaked = raider("S1", Square(16, 2), cloaked=True, popped_out=False)
    assert Cloak(ship=cloaked.id, on=False) in ordered(raiding(cloaked), SWEPT)
    assert Cloak(ship=cloaked.id, on=False) not in ordered(raiding(cloaked), SWEPT, SCANNED)


def test_who_waits_is_uncloaked_and_scans() -> None:
    orders = ordered(raiding(EAST, raider("S2", Square(11, 2), cloaked=True, popped_out=False)))
    assert {Cloak(ship=WEST.id, on=False), Sensors(ship=WEST.id, out=True)} <= set(orders)
    scans = ordered(raiding(EAST, WEST, phase=Phase.SCAN))
    assert {order.ship for order in scans if isinstance(order, Scan)} == {"S1", "S2"}


def test_when_one_is_through_the_others_stay_out_of_reach_and_leave_over_no_other_edge() -> None:
    through = raider("S1", Square(28, 38), fate=Fate.ESCAPED)
    north = msgspec.structs.replace(WEST, vector=Vector(0, -1), facing=Compass.N)
    view = raiding(through, north, points=10)
    flight = Advice(view).flight(north, ordered(view))
    assert ending(OPEN, flight.square) is MoveEnding.FLIES


def test_with_the_runner_lost_the_next_one_runs() -> None:
    lost = msgspec.structs.replace(EAST, fate=Fate.DESTROYED)
    view = raiding(lost, WEST)
    assert Cloak(ship=WEST.id, on=True) in ordered(view)
    assert Cloak(ship=WEST.id, on=True) not in ordered(raiding(EAST, WEST))


def test_raiders_neither_fire_nor_sweep() -> None:
    near = raider("S1", Square(16, 20))
    shots = raiding(near, phase=Phase.ENGAGE, contacts=(contact(Square(16, 24), turn=2),))
    assert list(Advice(shots).shots())
    assert not any(isinstance(order, Fire) for order in ordered(shots))
    assert not any(isinstance(o, Sweep) for o in ordered(raiding(near, phase=Phase.DETECT)))


def test_pickets_begin_spread_along_the_foremost_row_facing_the_enemy() -> None:
    zone = ("B8", "C8", "D8", "E8")
    orders = ordered(line(Phase.PLOT, turn=1, zone=zone))
    starts = [order for order in orders if isinstance(order, Deploy)]
    assert len({start.at for start in starts}) == len(starts) == 4
    assert {start.at.y for start in starts} == {35}
    assert {start.facing for start in starts} == {Compass.N}


def found(label: str, square: Square, turn: int, vector: Vector, fix: Fix) -> ContactView:
    """Return a cloaked ship that was found in a turn."""
    return ContactView(
        label=label,
        fix=fix,
        square=square,
        turn=turn,
        handle=Handle(f"found{label}"),
        vector=vector,
        trackers=TrackersView(),
    )


@pytest.mark.parametrize(("last_found", "sweepers"), [(0, 2), (1, 2), (2, 3), (3, 4)])
def test_one_more_picket_sweeps_than_found_something_the_last_time_and_two_at_least(
    last_found: int, sweepers: int
) -> None:
    contacts = [
        found(f"C{n}", Square(10 + n, 10), 2, Vector(0, 6), Fix.MEMORY) for n in range(last_found)
    ]
    orders = ordered(line(Phase.DETECT, *contacts))
    assert sum(isinstance(order, Sweep) for order in orders) == sweepers
    assert sum(isinstance(order, Listen) for order in orders) == 4 - sweepers


@pytest.mark.parametrize(("turn", "listens"), [(1, False), (2, True)])
def test_nobody_listens_before_anybody_can_be_in_reach(turn: int, listens: bool) -> None:
    view = line(Phase.DETECT)
    early = msgspec.structs.replace(view, stage=msgspec.structs.replace(view.stage, turn=turn))
    ears = [order for order in ordered(early) if isinstance(order, Listen)]
    assert {order.on for order in ears} == {listens}


def test_those_sweep_who_are_farthest_from_the_enemy() -> None:
    orders = ordered(line(Phase.DETECT, found("C1", Square(8, 20), 2, Vector(0, 0), Fix.MEMORY)))
    assert {order.ship for order in orders if isinstance(order, Sweep)} == {"S3", "S4"}


def test_pickets_scan_where_a_ship_in_a_hurry_should_be_by_now() -> None:
    fast = found("C1", Square(12, 8), 2, Vector(0, 6), Fix.MEMORY)
    orders = ordered(line(Phase.SCAN, fast))
    scans = [order for order in orders if isinstance(order, Scan)]
    # It drifts six squares to the south and burns some more, to the row 17.
    assert [scan.at for scan in scans] == ["C4"]
    assert box_named("C4").centre.distance_squared(Square(12, 17)) == 0


def test_what_was_found_this_turn_is_not_scanned_for_again() -> None:
    sure = contact(Square(12, 8), turn=3)
    fast = found("C2", Square(32, 8), 2, Vector(0, 6), Fix.MEMORY)
    scans = [o for o in ordered(line(Phase.SCAN, sure, fast)) if isinstance(o, Scan)]
    assert [scan.at for scan in scans] == ["G4"]


def test_pickets_go_to_meet_one_that_will_come_past_and_let_one_far_off_come() -> None:
    passing = found("C1", Square(11, 10), 2, Vector(0, 6), Fix.MEMORY)
    far = found("C2", Square(11, 2), 2, Vector(0, 0), Fix.MEMORY)
    for enemy, moves in ((passing, True), (far, False)):
        view = line(Phase.PLOT, enemy)
        flight = Advice(view).flight(view.own[1], of_ship(ordered(view), "S2"))
        assert (flight.square.x < 16) is moves


def test_one_in_a_hurry_is_met_before_one_that_waits_nearer() -> None:
    waits = found("C1", Square(20, 16), 2, Vector(0, 0), Fix.MEMORY)
    runs = found("C2", Square(8, 12), 2, Vector(0, 5), Fix.MEMORY)
    west = (Compass.SW, Compass.W, Compass.NW)
    for enemies, turns_west in (((waits,), False), ((waits, runs), True)):
        view = line(Phase.PLOT, *enemies)
        flight = Advice(view).flight(view.own[1], of_ship(ordered(view), "S2"))
        assert (flight.facing in west) is turns_west
