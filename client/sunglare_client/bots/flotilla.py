"""What a spymaster's ships do around a planet: bombard, land troops, or guard their batteries.

Theory of operation. Everything happens over the one environs that lies nearest to the own zone. A
planet hides near things from whatever is on its other side, so that over there a ship is seen by
few, and reached by few batteries. Ships come in backwards, as their thrust is all that holds them
against the pull.
"""

from typing import NamedTuple

from sunglare_client.advice import Advice
from sunglare_client.bots.belief import box_area
from sunglare_client.bots.bombarding import marks
from sunglare_client.bots.hovering import hover
from sunglare_client.bots.landings import BLAST_INCHES, Landings
from sunglare_client.bots.measures import within_inches
from sunglare_client.bots.posts import landing_ground
from sunglare_client.bots.prowling import Run, run_course
from sunglare_client.bots.raids import EDGES
from sunglare_client.bots.seeker import powered_on, switched_on
from sunglare_client.bots.steering import DEPLOY_SPEED, bearing
from sunglare_protocol.geometry import Compass, Environs, Planet, Square, Vector, box_named
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Deploy, Land, Lift, Order
from sunglare_protocol.orders.agents import OFF_MAP, Stand
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.ladder import Fate
from sunglare_rules.capital.capital import CLASS_OF_KIND
from sunglare_rules.ground.plane import apart
from sunglare_rules.sensors.sectors import outward_square

WORN = 0.5
"""A raider's ship in space goes home when it has lost this share of its hull."""

HOVERS_OUT = 2
"""So far off the square that touches the body a ship bombards: one bad turn is no crash."""


class Beachhead(NamedTuple):
    """The environs over which a side's ships gather."""

    planet: Planet
    environs: Environs

    def above(self, out: int) -> Square:
        """Return the square so many beyond the one that touches the body in the sector."""
        square, step = outward_square(self.planet, self.environs.sector), self.environs.sector.step
        return Square(square.x + out * step.dx, square.y + out * step.dy)

    @property
    def site(self) -> Site:
        """Return the surface map below."""
        return Site(self.planet.name, self.environs.number)


class Flotilla:
    """The ships of one match: where they gather, and which have been ashore."""

    def __init__(self) -> None:
        self._head: Beachhead | None = None
        self._ground: tuple[Cell, ...] = ()
        self.landings = Landings()

    def see(self, view: View) -> None:
        """Take in a view: the zone of turn 1, and which ships are down."""
        if self._head is None and view.zone:
            self._head = _nearest(view)
            self._ground = () if self._head is None else landing_ground(view, self._head.site)
        self.landings.see(view)

    def raids(self, view: View, advice: Advice, ship: OwnView) -> tuple[Order, ...] | None:
        """Return the plan of a raider's ship; None if it has nothing to do over a planet.

        Who has big guns bombards, who has troops lands them; the others get out of harm's way.
        """
        head = self._head
        if head is None:
            return None
        if ship.landed is not None:
            return (Lift(ship=ship.id),) if self.landings.are_over(view, ship) else ()
        works = is_capital(ship) or has_troops(view, ship.id)
        is_worn = ship.damage > WORN * ship.hull
        if not works or is_worn or self.landings.have_been(ship):
            return _home(view, advice, ship, head.environs.sector)
        if view.stage.turn == 1:
            return (_deployed(view, ship, head.above(0)), *switched_on(ship))
        if is_capital(ship):
            spot = head.above(HOVERS_OUT)
            return (*switched_on(ship), *hover(advice, ship, head.planet, spot))
        return _down(advice, ship, head, _cell(view, head.site, self._ground))

    def guards(self, view: View, advice: Advice, ship: OwnView) -> tuple[Order, ...] | None:
        """Return the plan of a ship whose side defends a planet: to guard its own batteries.

        Who has big guns stays above the ground, out of sight of most of space; the others land.
        """
        head = self._head
        if head is None:
            return None
        if ship.landed is not None:
            return ()
        if view.stage.turn == 1:
            return (_deployed(view, ship, head.above(0)),)
        if is_capital(ship):
            spot = head.above(HOVERS_OUT)
            return (*switched_on(ship), *hover(advice, ship, head.planet, spot))
        return _down(advice, ship, head, None)


def is_capital(ship: OwnView) -> bool:
    """Return whether a ship can bombard."""
    return any(gun.works and gun.kind in CLASS_OF_KIND for gun in ship.weapons)


def has_troops(view: View, ship: OwnId) -> bool:
    """Return whether ground units are aboard a ship."""
    return any(unit.aboard == ship and unit.fate is Fate.IN_PLAY for unit in view.ground)


def _nearest(view: View) -> Beachhead | None:
    """Return the environs that is nearest to the own zone."""
    boxes = [box_named(name).centre for name in view.zone]
    east = sum(box.x for box in boxes) // len(boxes)
    south = sum(box.y for box in boxes) // len(boxes)
    heads = [
        Beachhead(planet, environs)
        for planet in view.board.planets
        for environs in planet.environs
    ]
    start = Square(east, south)
    return min(heads, key=lambda head: start.distance_squared(head.above(0)), default=None)


def _deployed(view: View, ship: OwnView, spot: Square) -> Deploy:
    """Return a deployment as near to a spot as the zone allows, flying there backwards."""
    at = min(_zone(view), key=lambda square: (square.distance_squared(spot), square))
    way = bearing(at, spot).step
    vector = Vector(DEPLOY_SPEED * way.dx, DEPLOY_SPEED * way.dy)
    return Deploy(ship=ship.id, at=at, vector=vector, facing=bearing(spot, at))


def _cell(view: View, site: Site, ground: tuple[Cell, ...]) -> Cell | None:
    """Return where to land: of the own cells the one farthest from all foes, or from the middle.

    Own troops that hide are left a blast's reach, for a landed ship draws fire.
    """
    environs = view.board.environs_at(site)
    if environs is None:
        return None
    foes = [mark.cell for mark in marks(view, site)] or [environs.middle]
    own = [unit.cell for unit in view.ground if unit.site == site and unit.cell is not None]

    def worth(cell: Cell) -> tuple[bool, int]:
        is_apart = not any(within_inches(cell, mate, BLAST_INCHES) for mate in own)
        return is_apart, min(apart(cell, foe).squared for foe in foes)

    return max(ground, key=worth, default=None)


def _down(advice: Advice, ship: OwnView, head: Beachhead, cell: Cell | None) -> tuple[Order, ...]:
    """Return the plan of a ship that is to land, in the middle of the map if no cell is named."""
    number = head.environs.number
    landing = Land(ship=ship.id, body=head.planet.name, environs=number, cell=cell)
    if advice.check((landing,)) is None:
        return (landing,)
    return (*powered_on(ship), *hover(advice, ship, head.planet, head.above(0)))


def _home(view: View, advice: Advice, ship: OwnView, sector: Compass) -> tuple[Order, ...]:
    """Return the way off the map on a ship's own side of the planet, which hides it from more."""
    edge = sector if sector in EDGES else sector.turned(1)
    run = Run(view.board, edge)
    if view.stage.turn == 1:
        squares = _zone(view)
        at = min(squares, key=lambda square: (run.left(square), square))
        return (Deploy(ship=ship.id, at=at, facing=edge),)
    bound = Stand(ship=ship.id, bound_for=OFF_MAP)
    return (*powered_on(ship), *run_course(view, advice, ship, run), bound)


def _zone(view: View) -> list[Square]:
    """Return the squares on which a ship may be deployed."""
    return [square for name in view.zone for square in box_area(box_named(name)).squares()]
