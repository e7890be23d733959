"""Firing arcs follow from the weapons that work, and a relation decides within an arc."""

from collections import Counter

import pytest
from msgspec.structs import replace

from builders.data import CLASSES
from builders.truths import BOARD, A, B, ship, truth_of
from match.fog.test_fog import STANDING
from sunglare_protocol.geometry import Compass, Square
from sunglare_protocol.ids import audience_of
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.views import ContactView, OwnView
from sunglare_protocol.words.ladder import Fix
from sunglare_protocol.words.pieces import Arc, Relation
from sunglare_protocol.words.scans import Echo
from sunglare_rules.advice.seen.bearing import Bearing, bear, holds
from sunglare_rules.arcs.arcs import STANDARD_ARCS
from sunglare_rules.arcs.turrets import turret_start
from sunglare_rules.fire.weapons import has_arc
from sunglare_server.match.data.scenario import ShipClass
from sunglare_server.match.fog.view import view
from sunglare_server.match.intel.space import Intel
from sunglare_server.match.own.ships import own_pieces
from sunglare_server.match.truth.truth import TurretTruth

OPEN = replace(BOARD, planets=(), asteroids=())
PICKY = [
    (name, weapon.id)
    for name, kind in sorted(CLASSES.items())
    for weapon in kind.weapons
    if weapon.needs is not None
]
"""The shipped weapons that ask for more than their arc."""


def shown(kind: ShipClass, **changes: object) -> OwnView:
    """Return a ship of that class, at 20,20 facing north, as its owner sees it."""
    turrets = tuple(
        TurretTruth(id=turret.id, arcs=turret_start(turret.kind)) for turret in kind.turrets
    )
    made = replace(ship(A, at=(20, 20), kind=kind), turrets=turrets)
    truth = truth_of(replace(made, **changes), ship(B))
    intel = Intel(audience=audience_of(A), turn=3, own=own_pieces(truth, A))
    return view(intel, STANDING, BOARD).own[0]


@pytest.mark.parametrize("kind", CLASSES.values(), ids=lambda kind: kind.name)
def test_a_ship_of_a_shipped_class_fires_through_the_arcs_of_its_weapons(kind: ShipClass) -> None:
    pointing = {turret.id: turret_start(turret.kind) for turret in kind.turrets}
    wanted = set[Arc]()
    for weapon in kind.weapons:
        wanted |= {weapon.arc} if weapon.arc is not None else set()
        wanted |= {*pointing[weapon.turret]} if weapon.turret is not None else set()
        assert bool(weapon.arc or weapon.turret) is has_arc(weapon.kind)
    assert set(shown(kind).firing_arcs) == wanted


def test_an_arc_is_lost_with_the_last_weapon_that_fires_through_it() -> None:
    frigate = CLASSES["frigate"]
    [turret] = [TurretTruth(id=fitted.id, arcs=(Arc.LEFT,)) for fitted in frigate.turrets]

    def arcs(*lost: str, spent: tuple[str, ...] = ()) -> tuple[Arc, ...]:
        return shown(frigate, turrets=(turret,), lost=lost, spent=spent).firing_arcs

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
    gun = next(fitted for fitted in own.weapons if fitted.id == weapon)
    intel = Intel(audience=audience_of(A), turn=3)
    seen = view(intel, STANDING, OPEN)
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


@pytest.mark.parametrize("facing", Compass)
@pytest.mark.parametrize("arc", STANDARD_ARCS)
def test_a_square_is_in_a_firing_arc_if_a_contact_there_would_be(
    arc: Arc, facing: Compass
) -> None:
    made = replace(shown(CLASSES["corvette"]), facing=facing, firing_arcs=(arc,))
    gun = replace(made.weapons[0], arc=arc, turret=None, rank=5)
    seen = view(Intel(audience=audience_of(A), turn=3), STANDING, OPEN)
    for x in range(2, 39, 3):
        for y in range(2, 39, 3):
            snapshot = ContactView(label="C1", fix=Fix.CONTACT, square=Square(x, y), turn=3)
            bears = isinstance(bear(seen, made, gun, snapshot), Bearing)
            assert holds(made, Square(x, y)) is (bears and (x, y) != (20, 20))


def test_a_ship_without_firing_arcs_holds_no_square() -> None:
    made = replace(shown(CLASSES["corvette"]), firing_arcs=())
    assert not holds(made, Square(20, 18))
