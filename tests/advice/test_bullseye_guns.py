"""A weapon whose arc is the bullseye, and the arcs that every ship has for judging others."""

import pytest

from builders.views import contact, own_ship, view
from sunglare_protocol.geometry import Compass, Square, Vector
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.views import OwnView, TurretView, WeaponView
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.ladder import Fix, Phase
from sunglare_protocol.words.pieces import Arc, TurretKind
from sunglare_protocol.words.scans import Echo
from sunglare_rules.advice.seen.bearing import Bearing, bear

HERE = Square(7, 27)
GUN = WeaponView(id="gun", kind=WeaponKind.BEAM, rank=4, arc=Arc.BULLSEYE)


def aimed(ship: OwnView, dx: int, dy: int) -> Bearing | Rejected:
    """Return how the gun bears on a small track that many squares away."""
    square = HERE.moved(Vector(dx, dy))
    target = contact(fix=Fix.TRACKED, square=square, facing=Compass.N, size=Echo.SMALL)
    return bear(view(Phase.ENGAGE, ship, contacts=(target,)), ship, GUN, target)


@pytest.mark.parametrize(
    ("dx", "dy", "bears"),
    [
        # A small base 20 mm beside the line reaches to it; one 40 mm beside it does not.
        pytest.param(0, -5, True, id="straight ahead"),
        pytest.param(1, -5, True, id="one square beside the line"),
        pytest.param(-1, -5, True, id="one square to the other side"),
        pytest.param(2, -5, False, id="two squares beside it, well in the front arc"),
        pytest.param(0, 5, False, id="astern"),
        pytest.param(0, -16, True, id="at the end of range 3"),
        pytest.param(0, -17, False, id="300 mm and out of range"),
    ],
)
def test_a_bullseye_gun_bears_on_what_reaches_into_the_strip_ahead(
    dx: int, dy: int, bears: bool
) -> None:
    found = aimed(own_ship(), dx, dy)
    if bears:
        assert isinstance(found, Bearing)
        assert found.arc is Arc.BULLSEYE
    else:
        assert isinstance(found, Rejected)
        beyond = Code.ORDER_RANGE if dy == -17 else Code.ORDER_ARC
        assert found.code is beyond


@pytest.mark.parametrize("arcs", [(Arc.REAR,), (Arc.LEFT,)], ids=["astern", "to the left"])
@pytest.mark.parametrize("firing", [(), (Arc.FULL_FRONT,), (Arc.REAR,)], ids=str)
def test_the_bullseye_never_depends_on_turret_or_other_firing_arcs(
    arcs: tuple[Arc, ...], firing: tuple[Arc, ...]
) -> None:
    turret = TurretView(id="T1", kind=TurretKind.SINGLE, arcs=arcs)
    found = aimed(own_ship(turrets=(turret,), firing_arcs=firing), 0, -5)
    assert isinstance(found, Bearing)
    assert (found.arc, found.band) == (Arc.BULLSEYE, 1)
