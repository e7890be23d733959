"""Views with ground units made by hand for the tests of advice, and what a refusal says."""

from typing import NamedTuple, final

import msgspec

from builders.advice import well_formed
from builders.ground import planet
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
from sunglare_protocol.orders import Order
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.views import View
from sunglare_protocol.views.ground import GroundView, SurfaceView, TokenView
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

DOWN = Landing(body="Ceres", sector=Compass.N, environs=1, cell=Cell(2, 3))
"""A landing beside the guard."""

ON_ROCK = Landing(body="Rock", sector=Compass.N)
FLYING = _replace(KITE, square=Square(15, 11), vector=Vector(0, 0), bays=1)
"""A frigate over the first map of Ceres."""

CARRIER = _replace(FLYING, landed=DOWN)


def token(
    at: tuple[int, int], handle: Handle | None = H1, label: str = "C6", site: Site = SITE
) -> SurfaceView:
    """Return a seen map with one token on it."""
    held = TokenView(label=label, cell=Cell(*at), turn=4, handle=handle)
    return SurfaceView(site=site, seen=True, tokens=(held,))


def ground_view(
    phase: Phase = Phase.PLOT, *units: GroundView, turn: int = 4, **fields: object
) -> View:
    """Return a view of the drawn map with these units, or the guard, and without any ships."""
    base = space_view(phase, turn=turn, own=(), contacts=())
    made = _replace(base, stage=stage(phase, turn), board=BOARD, ground=units or (GUARD,))
    return _replace(made, **fields)


@final
class Told(NamedTuple):
    """What a refusal names: its code, the field of the order, and what would be right."""

    code: Code
    field: str
    choices: tuple[str, ...] = ()


def refusal(view: View, *orders: Order) -> Rejected | None:
    """Return how the last of the orders is refused, or None if all of them may stand."""
    found = well_formed(check(view, orders), orders)
    if found is None:
        return None
    last = f"$.orders[{len(orders) - 1}]"
    assert found.at.startswith(last)
    return _replace(found, at=found.at.removeprefix(last))


def told(view: View, *orders: Order) -> Told | None:
    """Return what the refusal of the last order names, or None if all of them may stand."""
    found = refusal(view, *orders)
    return None if found is None else Told(found.code, found.at, found.choices)


def reason(view: View, *orders: Order) -> str:
    """Return the sentence with which the last order is refused."""
    found = refusal(view, *orders)
    assert found is not None
    return found.detail
