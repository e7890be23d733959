"""Firing arcs follow from the weapons, relations decide in play, and the arc used is told."""

from collections import Counter
from random import Random

import pytest
from msgspec.structs import replace

from botmatch import fought
from crowdedscenarios import scenarios
from datarigs import CLASSES
from rigs import Rig, rig, view_of
from sunglare_protocol.geometry import Compass, Square
from sunglare_protocol.ids import PUBLIC, OwnId, Side, audience_of
from sunglare_protocol.ladder import Fix, Phase
from sunglare_protocol.notices import ShotResult
from sunglare_protocol.orders import Fire
from sunglare_protocol.pieces import Arc, Relation
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.scanwords import Echo
from sunglare_protocol.views import ContactView, OwnView, View
from sunglare_rules.advice.bearing import Bearing, bear
from sunglare_rules.advice.check_fire import aim
from sunglare_rules.arcs import turret_start
from sunglare_rules.weapons import has_arc
from sunglare_server.match.events import ShotFired
from sunglare_server.match.fog import view
from sunglare_server.match.intel import Intel
from sunglare_server.match.own import own_pieces
from sunglare_server.match.scenario import ShipClass
from sunglare_server.match.truth import TurretTruth
from test_fog import STANDING
from truthrigs import BOARD, A, B, ship, truth_of

RELATIONS = (Relation.IN_FRONT, Relation.BEHIND, Relation.FLANKING)
PICKY = [
    (name, weapon.id)
    for name, kind in sorted(CLASSES.items())
    for weapon in kind.weapons
    if weapon.needs is not None
]
"""The shipped weapons that ask for more than their arc."""


def shown(kind: ShipClass, **changes: object) -> OwnView:
    """Return a ship of that class, at 20,20 facing north, as its owner sees it."""
    turrets = tuple(TurretTruth(id=each.id, arcs=turret_start(each.kind)) for each in kind.turrets)
    made = replace(ship(A, at=(20, 20), kind=kind), turrets=turrets)
    truth = truth_of(replace(made, facing=Compass.N, **changes), ship(B))
    intel = Intel(audience=audience_of(A), turn=3, own=own_pieces(truth, A))
    return view(intel, STANDING, BOARD).own[0]


def test_the_shipped_scenarios_use_every_relation() -> None:
    needed: dict[str, set[Relation]] = {}
    for name, scenario in scenarios().items():
        if name in ("blip-parade", "redondo", "proving-ground"):
            kinds = scenario.classes.values()
            found = {each.needs for kind in kinds for each in kind.weapons if each.needs}
            needed[name] = found
    assert all(len(found) >= 2 for found in needed.values())
    assert {each for found in needed.values() for each in found} == {*RELATIONS}
    assert len({name for name, _ in PICKY}) >= 3


@pytest.mark.parametrize("kind", CLASSES.values(), ids=lambda kind: kind.name)
def test_a_ship_of_a_shipped_class_fires_through_the_arcs_of_its_weapons(kind: ShipClass) -> None:
    pointing = {each.id: turret_start(each.kind) for each in kind.turrets}
    wanted = set[Arc]()
    for weapon in kind.weapons:
        wanted |= {weapon.arc} if weapon.arc is not None else set()
        wanted |= {*pointing[weapon.turret]} if weapon.turret is not None else set()
        assert bool(weapon.arc or weapon.turret) is has_arc(weapon.kind)
    assert set(shown(kind).firing_arcs) == wanted


def test_an_arc_is_lost_with_the_last_weapon_that_fires_through_it() -> None:
    frigate = CLASSES["frigate"]
    [turret] = [TurretTruth(id=each.id, arcs=(Arc.LEFT,)) for each in frigate.turrets]

    def arcs(*lost: str, spent: tuple[str, ...] = ()) -> tuple[Arc, ...]:
        truth = truth_of(
            replace(ship(A, kind=frigate), turrets=(turret,), lost=lost, spent=spent), ship(B)
        )
        intel = Intel(audience=audience_of(A), turn=3, own=own_pieces(truth, A))
        return view(intel, STANDING, BOARD).own[0].firing_arcs

    assert arcs() == (Arc.FRONT, Arc.LEFT)
    assert arcs("B1") == (Arc.FRONT, Arc.LEFT)
    assert arcs("B1", "P1") == (Arc.LEFT,)
    assert arcs("B1", spent=("P1",)) == (Arc.LEFT,)
    assert arcs("B2") == (Arc.FRONT,)
    assert arcs("B1", "B2", "P1") == ()


def lying(at: tuple[int, int], size: Echo, facing: Compass) -> ContactView:
    return ContactView(
        label="C1", fix=Fix.TRACKED, square=Square(*at), turn=3, size=size, facing=facing
    )


@pytest.mark.parametrize(("name", "weapon"), PICKY)
def test_what_a_shipped_weapon_needs_decides_between_targets_in_its_arc(
    name: str, weapon: str
) -> None:
    own = shown(CLASSES[name])
    gun = next(each for each in own.weapons if each.id == weapon)
    intel = Intel(audience=audience_of(A), turn=3)
    board = replace(BOARD, planets=(), asteroids=())
    seen: View = view(intel, STANDING, board)
    verdicts: Counter[Relation] = Counter()
    refused: Counter[Relation] = Counter()
    for x in range(12, 29):
        for y in range(12, 29):
            target = lying((x, y), Echo.LARGE, Compass.NE)
            plain = bear(seen, own, replace(gun, needs=None), target)
            found = bear(seen, own, gun, target)
            if isinstance(plain, Rejected):
                assert found == plain
            elif plain.relation in (gun.needs, Relation.NONE) and found == plain:
                verdicts[plain.relation] += 1
            else:
                assert isinstance(found, Rejected)
                assert found.code is Code.ORDER_RELATION
                refused[plain.relation] += 1
    assert verdicts[gun.needs or Relation.NONE] > 0
    assert refused.total() > 0
    assert gun.needs not in refused


def test_the_arc_of_a_shot_is_told_as_the_shooter_reckoned_it() -> None:
    told: Counter[Arc | None] = Counter()
    for seed in range(2):
        match, rng = rig(scenarios()["broadside"], seed, PUBLIC), Random(seed)
        for _ in range(40):
            if match.state.is_over:
                break
            phase, views, orders = match.state.standing.phase, _views(match), match.ordered(rng)
            for side, given in orders.items():
                match.give(side, given)
            match.close()
            if phase is Phase.ENGAGE:
                for side, given in orders.items():
                    wanted = _reckoned(views[side], given)
                    found = _reported(match, side)
                    shared = wanted.keys() & found.keys()
                    assert {key: found[key] for key in shared} == {
                        key: wanted[key] for key in shared
                    }
                    told.update(found[key] for key in shared)
    assert {*told} >= {Arc.FRONT, Arc.FULL_REAR}


Shots = dict[tuple[OwnId, str], Arc | None]


def _views(match: Rig) -> dict[Side, View]:
    return {side: view_of(match.state, audience_of(side)) for side in match.sides}


def _reckoned(seen: View, orders: tuple[object, ...]) -> Shots:
    """Return the arc of every shot as the view had it when the order was given."""
    found: Shots = {}
    ships = {each.id: each for each in seen.own}
    for order in orders:
        if isinstance(order, Fire) and order.at is not None and order.ship in ships:
            bearing = aim(seen, ships[order.ship], order)
            assert isinstance(bearing, Bearing)
            found[order.ship, order.weapon] = bearing.arc
    return found


def _reported(match: Rig, side: Side) -> Shots:
    told = match.state.intel[audience_of(side)].told
    return {(each.ship, each.weapon): each.arc for each in told if isinstance(each, ShotResult)}


@pytest.mark.parametrize("name", ["proving-ground", "blip-parade"])
def test_bots_fire_the_weapons_that_need_a_relation(name: str) -> None:
    fired: Counter[tuple[str, str]] = Counter()

    def watch(_window: object, match: Rig) -> None:
        assert match.last is not None
        for event in match.last.events:
            if isinstance(event, ShotFired):
                kind = match.state.truth.ships[event.piece].type.name
                fired[kind, event.weapon] += 1

    for seed in range(2):
        fought(name, seed, "prober", "prober", watch=watch, turns_most=14)
    assert sum(fired[each] for each in PICKY) > 0
