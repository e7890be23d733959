"""Where cloaks and capital weapons meet: what is fired under one, and at whom."""

import pytest
from msgspec.structs import replace

from builders.advice import refused
from builders.ground import SITE, ground_truth, seeing, unit
from builders.sieges import GUNBOAT, MONITOR, rolling, view
from builders.truths import A1, B1, CRUISER, A, B, ship, truth_of, with_ship
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Bombard, Hold
from sunglare_protocol.refusals import Code
from sunglare_protocol.surface import Cell
from sunglare_protocol.views import CloakRules
from sunglare_protocol.words.armament import DefencePolicy
from sunglare_protocol.words.ladder import Fix
from sunglare_server.match.data.scenario import ShipClass
from sunglare_server.match.events.space import ShotFired
from sunglare_server.match.resolve.capital_fire import shots
from sunglare_server.match.resolve.defending import defence_points
from sunglare_server.match.resolve.firing import Attack
from sunglare_server.match.resolve.overflights import overflights
from sunglare_server.match.truth.ordnance import FIGHTER
from sunglare_server.match.truth.truth import Hunt, Truth

S1 = OwnId("S1")


def hidden(kind: ShipClass, at: tuple[int, int] = (15, 11)) -> Truth:
    """Return a truth in which A's cloaked ship is over a surface map that both sides see."""
    truth = ground_truth(
        unit(A, at=(1, 1)),
        unit(B, at=(2, 0)),
        ships=(replace(ship(A, 1, at, kind), cloaked=True),),
    )
    return seeing(truth, B)


@pytest.mark.parametrize("weapon", ["C1", "M1"])
def test_a_cloaked_ship_fires_at_no_point_of_the_ground(weapon: str) -> None:
    order = Bombard(ship=S1, weapon=weapon, at=SITE, cell=Cell(2, 0))
    assert refused(view(hidden(MONITOR), A), order) is Code.ORDER_CLOAK


@pytest.mark.parametrize("kind", [MONITOR, GUNBOAT], ids=["cap", "scap"])
def test_capital_guns_are_held_and_missiles_are_not(kind: ShipClass) -> None:
    truth = hidden(kind)
    shown = with_ship(truth, A1, cloaked=False)
    seen = replace(view(shown, A), cloak_rules=CloakRules(cloaks=True))
    assert refused(seen, Hold(ship=S1, weapon="C1")) is None
    assert refused(seen, Hold(ship=S1, weapon="M1")) is Code.ORDER_WEAPON


def test_a_cloaked_ship_meets_no_missile() -> None:
    shown = ship(A, 1, (15, 11), MONITOR)
    assert defence_points(shown, DefencePolicy.ALL) == 2
    assert defence_points(replace(shown, cloaked=True), DefencePolicy.ALL) == 0


def fired_at(fix: Fix, distance: int) -> ShotFired:
    """Return a hit of A's gun at a cloaked ship of B that A has found so, so far ahead."""
    target = replace(ship(B, 1, (10, 10 - distance), CRUISER), cloaked=True, cloaks=1)
    truth = truth_of(ship(A, 1, (10, 10), MONITOR), target)
    hunt = Hunt(piece=B1, fix=fix)
    truth = replace(truth, hunts={A: {target.quarry: hunt}})
    (shot,) = shots(truth, (Attack(A1, "C1", B1),), {}, rolling("A/S1/C1", 12))
    return shot


@pytest.mark.parametrize(("distance", "true", "long"), [(2, 6, 4), (8, 4, 2), (13, 2, 0)])
def test_the_bracket_to_a_detected_ship_is_that_of_the_long_range(
    distance: int, true: int, long: int
) -> None:
    assert fired_at(Fix.SOLUTION, distance).damage == true
    assert fired_at(Fix.DETECTED, distance).damage == long


def test_a_cloaked_fighter_over_a_map_is_no_contact_below() -> None:
    truth = hidden(FIGHTER)
    shown = with_ship(truth, A1, cloaked=False)
    assert [(event.piece, event.side) for event in overflights(shown)] == [(A1, B)]
    assert list(overflights(truth)) == []
