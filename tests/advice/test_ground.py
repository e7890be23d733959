"""Advice on the ground: what is refused and why, what is legal, and odds."""

import pytest
from msgspec.structs import replace

from builders.ground import planet
from builders.groundadvice import (
    AREAS,
    CARRIER,
    G1,
    G2,
    H1,
    P1,
    S1,
    SITE,
    code,
    ground_view,
    token,
    told,
)
from builders.orders import Written
from builders.terminals import AGENT, GUARD
from sunglare_protocol.geometry import Board
from sunglare_protocol.messages import Question
from sunglare_protocol.messages.answers import GroundOdds, LegalOrders
from sunglare_protocol.orders import Fire, Scan
from sunglare_protocol.orders.ground import Move, Station
from sunglare_protocol.surface import Arm, Build, Cell, Mode
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.scans import ScanSize, ScanType
from sunglare_rules.advice.answer import answer
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.legal.legal import legal, shots

HERE = Cell(2, 2)


def view(phase: Phase = Phase.PLOT, *, turn: int = 4, **fields: object) -> View:
    """Return a view with a guard on the map, an agent, a landed frigate and a token near."""
    made = ground_view(phase, turn=turn, own=(CARRIER,), agents=(AGENT,))
    return replace(made, **{"surfaces": (token((4, 2)),), **fields})


@pytest.mark.parametrize(
    ("order", "refused"),
    [
        ("move G1 D3 E3", None),
        ("move G1 E3", "order/path"),
        ("move G1 D3 E3 F3 G3", "order/path"),
        (Move(ship=G1, path=(Cell(3, 2),), unload=True), "order/path"),
        (Move(ship=G1), "order/path"),
        ("move G1 jump D3", "order/path"),
        ("move G7 D3", "order/unit"),
        (Move(ship=P1, path=(Cell(3, 2),)), "order/unit"),
        (Move(ship=S1, path=(Cell(3, 2),)), "order/unit"),
        ("move G1 load S1", None),
        ("move G1 load S7", "order/ship"),
        ("move G1 unload", "order/load"),
        ("station G1 Ceres 1 C3", "order/window"),
        (Scan(ship=G1, type=ScanType.MASS, size=ScanSize.BOX, at="E4"), "order/window"),
    ],
)
def test_a_move_is_allowed_or_refused_by_the_public_map(
    order: Written, refused: str | None
) -> None:
    assert code(view(), order) == refused


def test_a_refused_path_names_the_cell_at_which_it_fails() -> None:
    assert told(view(), "move G1 D3 F3") == "order/path .path[1]"


def test_a_unit_with_jets_jumps_as_far_as_they_carry() -> None:
    jumper = view(ground=(replace(GUARD, jump=6),))
    assert code(jumper, "move G1 jump F3") is None
    assert code(jumper, "move G1 jump G3") == "order/path"


def test_a_ship_takes_no_more_units_than_it_has_bays() -> None:
    both = view(ground=(GUARD, replace(GUARD, id=G2)))
    assert code(both, "move G1 load S1") is None
    assert code(both, "move G1 load S1; move G2 load S1") == "order/load"


def test_nobody_goes_into_a_ship_that_lifts_off() -> None:
    assert code(view(), "lift S1; move G1 load S1") == "order/load"


@pytest.mark.parametrize(
    ("order", "refused"),
    [
        ("station G1 Ceres 1 D4 hidden", None),
        ("station G1 Ceres 1 E4", "order/cell"),
        (Station(ship=G1, at=SITE), "order/cell"),
        ("station G1 Ceres 1 C1", "order/cell"),
        ("station G1 Ceres 2 B2", "order/cell"),
        ("station G1 Vesta 1 B2", "order/cell"),
        ("station P1 Ceres 1 with G1", None),
        ("station P1 Ceres 1 with G2", "order/cell"),
        (Station(ship=P1, at=SITE, cell=HERE), "order/cell"),
        ("station P2 Ceres 1", "order/unit"),
    ],
)
def test_in_turn_one_units_are_stationed_in_their_areas(
    order: Written, refused: str | None
) -> None:
    assert code(view(turn=1, areas=AREAS), order) == refused


def test_a_unit_moves_from_where_the_same_orders_station_it() -> None:
    station = "station G1 Ceres 1 A2"
    first = view(turn=1, areas=AREAS)
    assert code(first, station, "move G1 A3") is None
    assert code(first, station, "move G1 D3") == "order/path"


def attack(weapon: str) -> Fire:
    """Return an attack of the guard on the token."""
    return Fire(ship=G1, weapon=weapon, at=H1)


ATTACK = attack("R1")


@pytest.mark.parametrize(
    "at",
    [(4, 2), (11, 2), (0, 0)],
    ids=["near", "over a wall that a tall one may overlook", "medium"],
)
def test_an_attack_is_allowed_that_some_height_would_make_possible(at: tuple[int, int]) -> None:
    assert code(view(Phase.ENGAGE, surfaces=(token(at),)), ATTACK) is None


WALLED = Board(planets=(planet(*("....2.......",) * 6),))
"""A row of houses, two levels high, from north to south."""


@pytest.mark.parametrize(
    ("build", "refused", "offered"),
    [
        (None, None, False),
        (Build.REMOTE, "order/sight", False),
        (Build.INFANTRY, "order/sight", False),
        (Build.MECH, "order/sight", False),
        (Build.VERY_LARGE, None, True),
        (Build.SPHEROID, None, True),
    ],
)
def test_an_attack_reckons_with_the_build_of_what_is_identified_and_legal_with_the_worst(
    build: Build | None, refused: str | None, *, offered: bool
) -> None:
    known = token((5, 2), build=build, footprint=None if build is None else 0)
    unit = replace(GUARD, cell=Cell(3, 2))
    there = view(Phase.ENGAGE, board=WALLED, ground=(unit,), own=(), surfaces=(known,))
    assert code(there, ATTACK) == refused
    assert (ATTACK in legal(there)) is offered
    assert (ATTACK in list(shots(there))) is offered


@pytest.mark.parametrize(
    ("footprint", "at", "refused", "offered"),
    [
        (None, (4, 2), None, False),
        (None, (5, 2), "order/range", False),
        (0, (2, 2), None, True),
        (0, (3, 2), "order/range", False),
        (2, (3, 2), None, True),
        (4, (3, 3), None, True),
        (4, (4, 2), "order/range", False),
        (6, (4, 2), None, True),
    ],
)
def test_base_contact_reckons_with_the_footprint_of_what_is_identified(
    footprint: int | None, at: tuple[int, int], refused: str | None, *, offered: bool
) -> None:
    (gun,) = GUARD.weapons
    fists = replace(gun, id="F1", kind=Arm.PHYSICAL, damage=(2, 0, 0, 0))
    build = None if footprint is None else Build.VERY_LARGE
    known = token(at, build=build, footprint=footprint)
    unit = replace(GUARD, weapons=(fists,))
    there = view(Phase.ENGAGE, ground=(unit,), surfaces=(known,))
    assert code(there, attack("F1")) == refused
    assert (attack("F1") in legal(there)) is offered


def test_a_remote_sensor_that_is_identified_is_easier_to_hit() -> None:
    sensor = token((4, 2), build=Build.REMOTE, footprint=0)
    found = answer(view(Phase.ENGAGE, surfaces=(sensor,)), Question.ODDS, ATTACK)
    assert isinstance(found, GroundOdds)
    assert found.needed == 2


def test_everything_offered_as_legal_passes_the_check() -> None:
    for phase, turn in ((Phase.PLOT, 1), (Phase.PLOT, 4), (Phase.ENGAGE, 4)):
        seen = view(phase, turn=turn, areas=AREAS)
        offered = [order for order in legal(seen) if order.ship in (G1, P1)]
        assert offered
        assert all(check(seen, (order,)) is None for order in offered)
    kinds = {type(order) for order in legal(view(turn=1, areas=AREAS)) if order.ship == G1}
    assert kinds == {Station, Move}
    assert ATTACK in list(shots(view(Phase.ENGAGE)))


def test_legal_orders_may_be_asked_for_one_unit() -> None:
    found = answer(view(), Question.LEGAL, "G1")
    assert isinstance(found, LegalOrders)
    assert {order.ship for order in found.orders} == {G1}


def test_the_odds_of_an_attack_follow_from_range_and_cover() -> None:
    woods = view(Phase.ENGAGE, surfaces=(token((6, 3)),))
    harder = answer(woods, Question.ODDS, ATTACK)
    assert isinstance(harder, GroundOdds)
    assert (harder.needed, harder.damage) == (7, 1)


def test_a_unit_that_never_moves_is_offered_no_move() -> None:
    fixed = view(ground=(replace(GUARD, mode=Mode.NONE, move=0),), own=())
    assert not [order for order in legal(fixed) if order.ship == G1]
    assert code(fixed, "move G1 D3") == "order/path"
