"""Advice on the ground: what is refused and why, what is legal, odds and cards."""

import msgspec
import pytest

from builders.advice import well_formed
from builders.ground import planet
from builders.terminals import AGENT, GUARD, KITE, stage
from builders.terminals import view as space_view
from sunglare_protocol.geometry import Board, Compass, Landing
from sunglare_protocol.ids import Handle, OwnId
from sunglare_protocol.messages import Question
from sunglare_protocol.messages.answers import Card, GroundOdds, LegalOrders
from sunglare_protocol.orders import Fire, Land, Lift, Order, Scan
from sunglare_protocol.orders.ground import Move, Station
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.surface import Arm, Build, Cell, Mode, Site
from sunglare_protocol.views import View
from sunglare_protocol.views.ground import AreaView, SurfaceView, TokenView
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.scans import ScanSize, ScanType
from sunglare_rules.advice.answer import answer
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.legal.legal import legal, shots

_replace = msgspec.structs.replace

G1, P1, S1 = OwnId("G1"), OwnId("P1"), OwnId("S1")
H = Handle("tt4tt4")
SITE = Site("Ceres", 1)
HERE = Cell(2, 2)
CARRIER = _replace(
    KITE,
    bays=1,
    landed=Landing(body="Ceres", sector=Compass.N, environs=1, cell=Cell(2, 3)),
)


def token(at: tuple[int, int], handle: Handle | None = H) -> SurfaceView:
    seen = TokenView(label="C6", cell=Cell(*at), turn=4, handle=handle)
    return SurfaceView(site=SITE, seen=True, tokens=(seen,))


def view(phase: Phase = Phase.PLOT, *, turn: int = 4, **fields: object) -> View:
    """Return a view with a guard on the map, an agent, a landed frigate and a token near."""
    base = space_view(phase, turn=turn)
    made = _replace(
        base,
        stage=stage(phase, turn),
        board=Board(planets=(planet(),)),
        own=(CARRIER,),
        ground=(GUARD,),
        agents=(AGENT,),
        surfaces=(token((4, 2)),),
    )
    return _replace(made, **fields)


def code(view: View, *orders: Order) -> Code | None:
    found = well_formed(check(view, orders), orders)
    return None if found is None else found.code


@pytest.mark.parametrize(
    ("order", "refusal"),
    [
        (Move(ship=G1, path=(Cell(3, 2), Cell(4, 2))), None),
        (Move(ship=G1, path=(Cell(4, 2),)), Code.ORDER_PATH),
        (Move(ship=G1, path=(Cell(3, 2), Cell(4, 2), Cell(5, 2), Cell(6, 2))), Code.ORDER_PATH),
        (Move(ship=G1, path=(Cell(3, 2),), unload=True), Code.ORDER_PATH),
        (Move(ship=G1), Code.ORDER_PATH),
        (Move(ship=G1, path=(Cell(3, 2),), jump=True), Code.ORDER_PATH),
        (Move(ship=OwnId("G7"), path=(Cell(3, 2),)), Code.ORDER_UNIT),
        (Move(ship=P1, path=(Cell(3, 2),)), Code.ORDER_UNIT),
        (Move(ship=S1, path=(Cell(3, 2),)), Code.ORDER_UNIT),
        (Move(ship=G1, load=S1), None),
        (Move(ship=G1, load=OwnId("S7")), Code.ORDER_SHIP),
        (Move(ship=G1, unload=True), Code.ORDER_LOAD),
        (Station(ship=G1, at=SITE, cell=HERE), Code.ORDER_WINDOW),
        (Scan(ship=G1, type=ScanType.MASS, size=ScanSize.BOX, at="E4"), Code.ORDER_WINDOW),
    ],
)
def test_a_move_is_allowed_or_refused_by_the_public_map(
    order: Order, refusal: Code | None
) -> None:
    assert code(view(), order) == refusal


def test_a_refused_path_names_the_cell_at_which_it_fails() -> None:
    found = check(view(), (Move(ship=G1, path=(Cell(3, 2), Cell(5, 2))),))
    assert found is not None
    assert found.at == "$.orders[0].path[1]"


def test_a_unit_with_jets_jumps_as_far_as_they_carry() -> None:
    jumper = view(ground=(_replace(GUARD, jump=6),))
    assert code(jumper, Move(ship=G1, path=(Cell(5, 2),), jump=True)) is None
    assert code(jumper, Move(ship=G1, path=(Cell(6, 2),), jump=True)) is Code.ORDER_PATH


def test_a_ship_takes_no_more_units_than_it_has_bays() -> None:
    second = _replace(GUARD, id=OwnId("G2"))
    both = view(ground=(GUARD, second))
    loads = (Move(ship=G1, load=S1), Move(ship=OwnId("G2"), load=S1))
    assert code(both, loads[0]) is None
    assert code(both, *loads) is Code.ORDER_LOAD


def test_nobody_goes_into_a_ship_that_lifts_off_or_stands_elsewhere() -> None:
    load = Move(ship=G1, load=S1)
    assert code(view(), Lift(ship=S1), load) is Code.ORDER_LOAD
    away = view(ground=(_replace(GUARD, cell=Cell(9, 2)),))
    assert code(away, load) is Code.ORDER_LOAD


def test_a_unit_aboard_comes_out_of_a_landed_ship_and_does_nothing_else() -> None:
    aboard = view(ground=(_replace(GUARD, site=None, cell=None, aboard=S1),))
    assert code(aboard, Move(ship=G1, unload=True)) is None
    assert code(aboard, Move(ship=G1, path=(HERE,))) is Code.ORDER_LOAD


AREAS = (AreaView(site=SITE, cells=(0, 0, 3, 3)),)


@pytest.mark.parametrize(
    ("order", "refusal"),
    [
        (Station(ship=G1, at=SITE, cell=Cell(3, 3), hidden=True), None),
        (Station(ship=G1, at=SITE, cell=Cell(4, 3)), Code.ORDER_CELL),
        (Station(ship=G1, at=SITE), Code.ORDER_CELL),
        (Station(ship=G1, at=SITE, cell=Cell(2, 0)), Code.ORDER_CELL),
        (Station(ship=G1, at=Site("Ceres", 2), cell=Cell(1, 1)), Code.ORDER_CELL),
        (Station(ship=G1, at=Site("Vesta", 1), cell=Cell(1, 1)), Code.ORDER_CELL),
        (Station(ship=P1, at=SITE, stacked=G1), None),
        (Station(ship=P1, at=SITE, stacked=OwnId("G2")), Code.ORDER_CELL),
        (Station(ship=P1, at=SITE, cell=HERE), Code.ORDER_CELL),
        (Station(ship=OwnId("P2"), at=SITE), Code.ORDER_UNIT),
    ],
)
def test_in_turn_one_units_are_stationed_in_their_areas(
    order: Order, refusal: Code | None
) -> None:
    assert code(view(turn=1, areas=AREAS), order) == refusal


def test_a_unit_moves_from_where_the_same_orders_station_it() -> None:
    station = Station(ship=G1, at=SITE, cell=Cell(0, 1))
    first = view(turn=1, areas=AREAS)
    assert code(first, station, Move(ship=G1, path=(Cell(0, 2),))) is None
    assert code(first, station, Move(ship=G1, path=(Cell(3, 2),))) is Code.ORDER_PATH


def attack(weapon: str = "R1", at: Handle = H) -> Fire:
    return Fire(ship=G1, weapon=weapon, at=at)


@pytest.mark.parametrize(
    ("at", "refusal"),
    [((4, 2), None), ((11, 2), None), ((0, 0), None)],
    ids=["near", "over a wall that a tall one may overlook", "medium"],
)
def test_an_attack_is_allowed_that_some_height_would_make_possible(
    at: tuple[int, int], refusal: Code | None
) -> None:
    assert code(view(Phase.ENGAGE, surfaces=(token(at),)), attack()) == refusal


WALLED = Board(planets=(planet(*("....2.......",) * 6),))
"""A row of houses, two levels high, from north to south."""


@pytest.mark.parametrize(
    ("build", "refusal", "offered"),
    [
        (None, None, False),
        (Build.REMOTE, Code.ORDER_SIGHT, False),
        (Build.INFANTRY, Code.ORDER_SIGHT, False),
        (Build.MECH, Code.ORDER_SIGHT, False),
        (Build.VERY_LARGE, None, True),
        (Build.SPHEROID, None, True),
    ],
)
def test_an_attack_reckons_with_the_build_of_what_is_identified_and_legal_with_the_worst(
    build: Build | None, refusal: Code | None, *, offered: bool
) -> None:
    unit = _replace(GUARD, cell=Cell(3, 2))
    surface = token((5, 2))
    (seen,) = surface.tokens
    known = _replace(seen, build=build, footprint=None if build is None else 0)
    there = view(
        Phase.ENGAGE,
        board=WALLED,
        ground=(unit,),
        own=(),
        surfaces=(_replace(surface, tokens=(known,)),),
    )
    assert code(there, attack()) == refusal
    assert (attack() in legal(there)) is offered
    assert (attack() in list(shots(there))) is offered


@pytest.mark.parametrize(
    ("footprint", "at", "refusal", "offered"),
    [
        (None, (4, 2), None, False),
        (None, (5, 2), Code.ORDER_RANGE, False),
        (0, (2, 2), None, True),
        (0, (3, 2), Code.ORDER_RANGE, False),
        (2, (3, 2), None, True),
        (4, (3, 3), None, True),
        (4, (4, 2), Code.ORDER_RANGE, False),
        (6, (4, 2), None, True),
    ],
)
def test_base_contact_reckons_with_the_footprint_of_what_is_identified(
    footprint: int | None, at: tuple[int, int], refusal: Code | None, *, offered: bool
) -> None:
    (gun,) = GUARD.weapons
    fists = _replace(gun, id="F1", kind=Arm.PHYSICAL, damage=(2, 0, 0, 0))
    surface = token(at)
    (seen,) = surface.tokens
    build = None if footprint is None else Build.VERY_LARGE
    known = _replace(seen, build=build, footprint=footprint)
    there = view(
        Phase.ENGAGE,
        ground=(_replace(GUARD, weapons=(fists,)),),
        surfaces=(_replace(surface, tokens=(known,)),),
    )
    assert code(there, attack("F1")) == refusal
    assert (attack("F1") in legal(there)) is offered


def test_a_remote_sensor_that_is_identified_is_easier_to_hit() -> None:
    surface = token((4, 2))
    (seen,) = surface.tokens
    sensor = _replace(seen, build=Build.REMOTE, footprint=0)
    easy = view(Phase.ENGAGE, surfaces=(_replace(surface, tokens=(sensor,)),))
    found = answer(easy, Question.ODDS, attack())
    assert isinstance(found, GroundOdds)
    assert found.needed == 2


@pytest.mark.parametrize(
    ("order", "surfaces", "refusal"),
    [
        (attack("X9"), (token((4, 2)),), Code.ORDER_WEAPON),
        (attack(at=Handle("zzzzzz")), (token((4, 2)),), Code.ORDER_HANDLE),
        (attack(), (token((4, 2), None),), Code.ORDER_HANDLE),
        (attack(), (), Code.ORDER_HANDLE),
        (
            attack(),
            (_replace(token((4, 2)), site=Site("Ceres", 2)),),
            Code.ORDER_HANDLE,
        ),
    ],
    ids=["no such weapon", "no such handle", "a memory", "nothing held", "another map"],
)
def test_an_attack_takes_a_weapon_and_a_held_token_of_the_same_map(
    order: Fire, surfaces: tuple[SurfaceView, ...], refusal: Code
) -> None:
    assert code(view(Phase.ENGAGE, surfaces=surfaces), order) == refusal


def test_close_attacks_take_contact_and_short_arms_do_not_reach_far() -> None:
    (gun,) = GUARD.weapons
    fists = _replace(gun, id="F1", kind=Arm.PHYSICAL, damage=(2, 0, 0, 0))
    short = _replace(gun, id="P1", damage=(2, 0, 0, 0))
    seen = view(Phase.ENGAGE, ground=(_replace(GUARD, weapons=(fists, short)),))
    assert code(seen, attack("F1")) is None
    far = _replace(seen, surfaces=(token((9, 2)),))
    assert code(far, attack("F1")) is Code.ORDER_RANGE
    assert code(far, attack("P1")) is Code.ORDER_RANGE


def test_what_no_height_shows_takes_an_indirect_weapon_and_a_friend() -> None:
    walled = Board(planets=(planet(*("....c.......",) * 6),))
    (gun,) = GUARD.weapons
    mortar = _replace(gun, id="M1", kind=Arm.INDIRECT, damage=(1, 1, 1, 0))
    near = _replace(GUARD, cell=Cell(3, 2), weapons=(gun, mortar))
    alone = view(Phase.ENGAGE, ground=(near,), own=(), board=walled, surfaces=(token((11, 2)),))
    assert code(alone, attack("R1")) is Code.ORDER_SIGHT
    assert code(alone, attack("M1")) is Code.ORDER_SIGHT
    friend = _replace(GUARD, id=OwnId("G2"), cell=Cell(10, 2))
    helped = _replace(alone, ground=(near, friend))
    assert code(helped, attack("R1")) is Code.ORDER_SIGHT
    assert code(helped, attack("M1")) is None


def test_everything_offered_as_legal_passes_the_check() -> None:
    for phase, turn in ((Phase.PLOT, 1), (Phase.PLOT, 4), (Phase.ENGAGE, 4)):
        seen = view(phase, turn=turn, areas=AREAS)
        offered = [order for order in legal(seen) if order.ship in (G1, P1)]
        assert offered
        assert all(check(seen, (order,)) is None for order in offered)
    kinds = {type(order) for order in legal(view(turn=1, areas=AREAS)) if order.ship == G1}
    assert kinds == {Station, Move}
    assert attack() in list(shots(view(Phase.ENGAGE)))


def test_legal_orders_may_be_asked_for_one_unit() -> None:
    found = answer(view(), Question.LEGAL, "G1")
    assert isinstance(found, LegalOrders)
    assert {order.ship for order in found.orders} == {G1}


def test_the_odds_of_an_attack_follow_from_range_and_cover() -> None:
    found = answer(view(Phase.ENGAGE), Question.ODDS, attack())
    assert found == GroundOdds(
        ship=G1, weapon="R1", at=H, needed=4, hundredths=round(100 * 33 / 36), damage=2
    )
    woods = view(Phase.ENGAGE, surfaces=(token((6, 3)),))
    harder = answer(woods, Question.ODDS, attack())
    assert isinstance(harder, GroundOdds)
    assert (harder.needed, harder.damage) == (7, 1)


@pytest.mark.parametrize(
    ("about", "words"),
    [
        ("G1", ("palace-guard", "C3", "foot")),
        ("P1", ("Combat 2", "undetected")),
        ("C6", ("blip", "E3")),
    ],
)
def test_a_card_shows_what_is_known(about: str, words: tuple[str, ...]) -> None:
    card = answer(view(), Question.LOOK, about)
    assert isinstance(card, Card)
    assert all(any(word in line for line in card.lines) for word in words)
    assert isinstance(answer(view(), Question.WHY, about), Card)


def test_a_landing_may_name_a_cell_of_the_map() -> None:
    flying = _replace(CARRIER, landed=None, square=planet().at._replace(y=11))
    seen = view(own=(_replace(flying, vector=flying.vector._replace(dx=0, dy=0)),))
    land = Land(ship=S1, body="Ceres", environs=1, cell=Cell(11, 5))
    assert code(seen, land) is None
    assert code(seen, _replace(land, cell=Cell(12, 5))) is Code.ORDER_CELL


def test_a_unit_that_never_moves_is_offered_no_move() -> None:
    fixed = view(ground=(_replace(GUARD, mode=Mode.NONE, move=0),), own=())
    assert not [order for order in legal(fixed) if order.ship == G1]
    refusal = check(fixed, (Move(ship=G1, path=(Cell(3, 2),)),))
    assert isinstance(refusal, Rejected)
