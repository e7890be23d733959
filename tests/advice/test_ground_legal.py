"""Which orders of ground units are offered in each window: switches, attacks, requests."""

import pytest
from msgspec.structs import replace

from builders.groundadvice import ABOARD, AREAS, CARRIER, G1, H2, ground_view, token
from builders.orders import read, typed
from builders.spotting import specials
from builders.terminals import GUARD
from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.orders import Order, Power, Probe
from sunglare_protocol.orders.ground import Move, Station
from sunglare_protocol.surface import Arm, Cell
from sunglare_protocol.views import ContactView, View
from sunglare_protocol.views.ground import ArmView, GroundView
from sunglare_protocol.words.ladder import Fate, Fix, Phase
from sunglare_rules.advice.legal.ground import attacks_of, ground_examples
from sunglare_rules.advice.legal.legal import attacks, legal

JAMMER = replace(GUARD, specials=specials("ECM"))
RIFLE, CANNON = (
    ArmView(id="R1", kind=Arm.DIRECT, damage=(2, 1, 0, 0)),
    ArmView(id="D1", kind=Arm.SDS_C, damage=(6, 4, 2, 0)),
)
ARMED = replace(GUARD, weapons=(RIFLE, CANNON), specials=specials("TAG"))
TRACK = ContactView(label="C1", fix=Fix.TRACKED, square=Square(15, 6), turn=4, handle=H2)


def known(view: View) -> View:
    """Return the view with a token near the guard that its side has identified."""
    surface = token((4, 2))
    (held,) = surface.tokens
    known = replace(held, side=Side("B"), type="tank")
    return replace(view, surfaces=(replace(surface, tokens=(known,)),))


def of_kind(kind: type[Order], view: View) -> list[Order]:
    return [example for example in ground_examples(view) if isinstance(example, kind)]


@pytest.mark.parametrize("phase", Phase)
def test_requests_for_data_are_offered_in_detect_alone(phase: Phase) -> None:
    expected = [typed("probe G1 tt1tt1")] if phase is Phase.DETECT else []
    assert of_kind(Probe, known(ground_view(phase))) == expected


@pytest.mark.parametrize("phase", [Phase.SCAN, Phase.OVER])
def test_where_ground_units_have_no_say_nothing_is_offered(phase: Phase) -> None:
    assert list(ground_examples(known(ground_view(phase, ARMED)))) == []


def test_every_attack_is_offered_with_the_weapons_that_it_takes() -> None:
    seen = ground_view(Phase.ENGAGE, ARMED, surfaces=(token((4, 2)),), contacts=(TRACK,))
    shots = read("fire G1.R1 tt1tt1; fire G1.D1 tt2tt2; fire G1.TAG E3")
    assert tuple(attacks_of(seen, ARMED)) == shots


@pytest.mark.parametrize(
    "unit",
    [
        replace(ABOARD, weapons=ARMED.weapons, specials=ARMED.specials),
        replace(ARMED, fate=Fate.DESTROYED),
    ],
    ids=["aboard", "lost"],
)
def test_a_unit_aboard_a_ship_or_lost_is_offered_no_attack(unit: GroundView) -> None:
    seen = ground_view(Phase.ENGAGE, unit, surfaces=(token((4, 2)),), contacts=(TRACK,))
    assert list(ground_examples(seen)) == []


@pytest.mark.parametrize(
    ("turn", "unit", "cells"),
    [(1, GUARD, [Cell(1, 1), Cell(1, 1)]), (2, GUARD, []), (1, ABOARD, []), (2, ABOARD, [])],
    ids=["turn 1", "turn 2", "aboard in turn 1", "aboard in turn 2"],
)
def test_a_unit_on_the_ground_is_offered_its_areas_in_turn_one(
    turn: int, unit: GroundView, cells: list[Cell]
) -> None:
    seen = ground_view(Phase.PLOT, unit, turn=turn, areas=AREAS, own=(CARRIER,))
    found = of_kind(Station, seen)
    assert [order.cell for order in found if isinstance(order, Station)] == cells


@pytest.mark.parametrize("is_on", [True, False])
def test_a_jammer_is_offered_to_be_what_it_is_not(is_on: bool) -> None:
    unit = replace(JAMMER, ecm_on=is_on)
    switch = Power(ship=G1, on=True, ecm=not is_on)
    assert of_kind(Power, ground_view(Phase.PLOT, unit)) == [switch]
    assert switch in legal(ground_view(Phase.PLOT, unit))
    assert of_kind(Power, ground_view(Phase.PLOT, GUARD)) == []


def test_a_unit_is_offered_to_go_into_landed_ships_or_out_of_its_own() -> None:
    flying = replace(CARRIER, id=OwnId("S2"), landed=None)
    for unit, line in ((GUARD, "move G1 load S1"), (ABOARD, "move G1 unload")):
        seen = ground_view(Phase.PLOT, unit, own=(CARRIER, flying))
        found = [
            order for order in of_kind(Move, seen) if isinstance(order, Move) and not order.path
        ]
        assert found == [typed(line)]


def test_an_attack_out_of_reach_is_not_among_the_legal_ones() -> None:
    near, far = (token((4, 2)),), (token((30, 20)),)
    seen = ground_view(Phase.ENGAGE, replace(ARMED, weapons=(RIFLE,), specials=()), surfaces=near)
    assert list(attacks(seen)) == list(read("fire G1.R1 tt1tt1"))
    assert list(attacks(replace(seen, surfaces=far))) == []


@pytest.mark.parametrize("phase", [phase for phase in Phase if phase is not Phase.ENGAGE])
def test_no_attack_is_legal_but_in_engage(phase: Phase) -> None:
    seen = ground_view(phase, ARMED, surfaces=(token((4, 2)),), contacts=(TRACK,))
    assert list(attacks(seen)) == []
