"""Views with ground units made by hand for the tests of advice, and what a refusal says."""

import msgspec

from builders.advice import well_formed
from builders.ground import planet
from builders.orders import Written, read
from builders.terminals import GUARD, KITE, stage
from builders.terminals import view as space_view
from sunglare_protocol.geometry import (
    Asteroid,
    Board,
    Compass,
    Environs,
    Landing,
    Planet,
    PlanetSize,
    Square,
    Vector,
)
from sunglare_protocol.ids import Handle, OwnId
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.views import View
from sunglare_protocol.views.ground import AreaView, GroundView, SurfaceView, TokenView
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_rules.advice.check.check import check

_replace = msgspec.structs.replace

G1, G2, S1, P1 = OwnId("G1"), OwnId("G2"), OwnId("S1"), OwnId("P1")
H1, H2 = Handle("tt1tt1"), Handle("tt2tt2")
SITE, FAR = Site("Ceres", 1), Site("Ceres", 2)
ROCK = Asteroid(name="Rock", at=Square(16, 10))
"""An asteroid in the well of Ceres."""

VESTA = Planet(
    name="Vesta",
    at=Square(35, 35),
    size=PlanetSize.SMALL,
    environs=(Environs(number=1, sector=Compass.N),),
)
BOARD = Board(planets=(planet(),), asteroids=(ROCK,))
TWO_PLANETS = Board(planets=(VESTA, planet()), asteroids=(ROCK,))

ABOARD = _replace(GUARD, site=None, cell=None, aboard=S1)
LOST = _replace(GUARD, id=G2, fate=Fate.DESTROYED)
NOWHERE = Site("Ceres", 9)
"""A place that the board does not have."""

AREAS = (AreaView(site=SITE, cells=(0, 0, 3, 3)),)
"""The south-western corner of the first map."""

DOWN = Landing(body="Ceres", sector=Compass.N, environs=1, cell=Cell(2, 3))
"""A landing beside the guard."""

ON_ROCK = Landing(body="Rock", sector=Compass.N)
FLYING = _replace(KITE, square=Square(15, 11), vector=Vector(0, 0), bays=1)
"""A frigate over the first map of Ceres."""

CARRIER = _replace(FLYING, landed=DOWN)


def token(
    at: tuple[int, int],
    handle: Handle | None = H1,
    label: str = "C6",
    site: Site = SITE,
    **fields: object,
) -> SurfaceView:
    """Return a seen map with one token on it, a blip if no field is given."""
    held = _replace(TokenView(label=label, cell=Cell(*at), turn=4, handle=handle), **fields)
    return SurfaceView(site=site, seen=True, tokens=(held,))


def ground_view(
    phase: Phase = Phase.PLOT, *units: GroundView, turn: int = 4, **fields: object
) -> View:
    """Return a view of the drawn map with these units, or the guard, and without any ships."""
    base = space_view(phase, turn=turn, own=(), contacts=())
    made = _replace(base, stage=stage(phase, turn), board=BOARD, ground=units or (GUARD,))
    return _replace(made, **fields)


def _refusal(view: View, orders: tuple[Written, ...]) -> Rejected | None:
    """Return how the last of the orders is refused, or None if all of them may stand."""
    given = read(*orders)
    found = well_formed(check(view, given), given)
    if found is None:
        return None
    last = f"$.orders[{len(given) - 1}]"
    assert found.at.startswith(last)
    return _replace(found, at=found.at.removeprefix(last))


def told(view: View, *orders: Written) -> str | None:
    """Return what the refusal of the last order names, or None if all of them may stand.

    That is its code, the field of the order, and what would be right, as in
    `order/weapon .weapon: D1, D2`.
    """
    found = _refusal(view, orders)
    if found is None:
        return None
    choices = f": {', '.join(found.choices)}" if found.choices else ""
    return f"{found.code.value} {found.at}{choices}"


def reason(view: View, *orders: Written) -> str:
    """Return the sentence with which the last order is refused."""
    found = _refusal(view, orders)
    assert found is not None
    return found.detail


def code(view: View, *orders: Written) -> str | None:
    """Return the code with which any of the orders is refused, or None if all may stand."""
    given = read(*orders)
    found = well_formed(check(view, given), given)
    return None if found is None else found.code.value
