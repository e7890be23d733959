"""Abilities: which orders take which, and what a side is advised that shall do without some."""

import pytest
from msgspec.structs import replace

from builders.bots import corvette, seen
from builders.orders import typed
from builders.terminals import S1
from sunglare_client import Advice
from sunglare_client.abilities import Ability, taken_by
from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import Handle
from sunglare_protocol.orders import (
    Bombard,
    Fire,
    Launch,
    Listen,
    Mission,
    Order,
    Power,
    Probe,
    Search,
    Sweep,
)
from sunglare_protocol.refusals import Code
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.views import CloakRules, View
from sunglare_protocol.words.armament import Launchable
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.search import MissionKind

HERE = Square(18, 20)

COLD = Launch(ship=S1, what=Launchable.MISSILES, weapon="M1", at=HERE, cold=True)

TAKEN = {
    "scan S1 visual 1box D4": "scan-visual sense",
    "scan S1 ir 1box D4 nosense": "scan-ir",
    "scan S1 radar 1box D4 nosense": "scan-radar",
    "scan S1 neutrino 1box D4 nosense": "scan-neutrino",
    "scan S1 mass 1box D4 nosense": "scan-mass",
    "listen S1": "listening",
    "listen S1 off": "",
    "sweep S1": "sweeps",
    "cloak S1 on": "cloaks",
    "cloak S1 off": "",
    "deploy S1 3,4 cloaked": "cloaks",
    "deploy S1 3,4": "",
    "launch S1 remote": "remotes",
    "launch S1 fighter": "",
    "power S1 off": "power-off",
    "power S1 on": "",
    "rotate S1 T1 front": "turrets",
    "land S1 Ceres 2": "landing",
    "lift S1": "",
    "defend S1 all": "point-defence",
    "defend S1 hold": "",
    "turn S1 1": "",
}


@pytest.mark.parametrize(("line", "abilities"), TAKEN.items())
def test_an_order_takes_the_abilities_that_its_fields_ask_for(line: str, abilities: str) -> None:
    assert " ".join(ability.value for ability in taken_by(typed(line))) == abilities


@pytest.mark.parametrize(
    ("order", "abilities"),
    [
        (Probe(ship=S1, at=Handle("C3")), (Ability.DATA,)),
        (Power(ship=S1, on=True, ecm=True), (Ability.JAMMERS,)),
        (Power(ship=S1, on=False, ecm=True), (Ability.POWER_OFF, Ability.JAMMERS)),
        (Power(ship=S1, on=True, ecm=False), ()),
        (Fire(ship=S1, weapon="TAG", point=Cell(3, 4)), (Ability.TAG,)),
        (Fire(ship=S1, weapon="B1", at=Handle("C3")), ()),
        (replace(COLD, cold=False), (Ability.MISSILES,)),
        (COLD, (Ability.MISSILES, Ability.COLD_LAUNCHES)),
        (Search(ship=S1), (Ability.SEARCHES,)),
        (Mission(ship=S1, kind=MissionKind.SPY), (Ability.MISSIONS,)),
        (
            Bombard(ship=S1, weapon="C1", at=Site("Ceres", 2), cell=Cell(3, 4)),
            (Ability.BOMBARDMENT,),
        ),
    ],
)
def test_an_order_that_no_line_gives_here_takes_its_abilities_too(
    order: Order, abilities: tuple[Ability, ...]
) -> None:
    assert taken_by(order) == abilities


def view_in(phase: Phase) -> View:
    rules = CloakRules(cloaks=True)
    return replace(seen(phase, (corvette(HERE),)), cloak_rules=rules)


def test_a_side_without_the_sense_roll_is_shown_the_same_scans_without_it() -> None:
    view = view_in(Phase.SCAN)
    (ship,) = view.own
    every = [replace(scan, sense=False) for scan in Advice(view).scans(ship)]
    assert list(Advice(view, (Ability.SENSE,)).scans(ship)) == every != []


def test_a_side_without_a_type_of_scan_is_shown_all_others() -> None:
    view = view_in(Phase.SCAN)
    (ship,) = view.own
    every = list(Advice(view).scans(ship))
    left = list(Advice(view, (Ability.IR,)).scans(ship))
    assert left == [scan for scan in every if Ability.IR not in taken_by(scan)] != every


def test_what_a_side_does_without_is_refused_and_left_out() -> None:
    view = view_in(Phase.DETECT)
    (ship,) = view.own
    orders: tuple[Order, ...] = (Listen(ship=ship.id, on=False), Sweep(ship=ship.id))
    advice = Advice(view, (Ability.SWEEPS,))
    assert Advice(view).check(orders) is None
    refused = advice.check(orders)
    assert refused is not None
    assert (refused.code, refused.at) == (Code.ORDER_PIECE, "$.orders[1]")
    assert advice.legal_part(orders) == orders[:1]
    assert advice.sweep_odds(ship.id) is None
    assert Advice(view).sweep_odds(ship.id) is not None


def test_a_side_may_do_all_that_it_is_not_told_to_do_without() -> None:
    advice = Advice(view_in(Phase.PLOT), (Ability.SENSE, Ability.LANDING))
    assert [one for one in Ability if not advice.may(one)] == [Ability.SENSE, Ability.LANDING]


def test_plans_that_take_what_is_missing_are_left_out() -> None:
    view = view_in(Phase.PLOT)
    (ship,) = view.own
    every = list(Advice(view).plots(ship))
    left = list(Advice(view, (Ability.POWER_OFF,)).plots(ship))
    off = [plan for plan in every if any(Ability.POWER_OFF in taken_by(one) for one in plan)]
    assert off
    assert left == [plan for plan in every if plan not in off]
