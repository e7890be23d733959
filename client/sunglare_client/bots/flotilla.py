"""What a spymaster's ships do around a planet: bombard, land troops, or guard their batteries.

Theory of operation. Everything happens over the one environs that lies nearest to the own zone. A
planet hides near things from whatever is on its other side, so that over there a ship is seen by
few, and reached by few batteries. Ships come in backwards, as their thrust is all that holds them
against the pull.
"""

from typing import NamedTuple

from sunglare_client.advice import Advice
from sunglare_client.bots.belief import box_area
from sunglare_client.bots.hovering import hover
from sunglare_client.bots.landings import Landings
from sunglare_client.bots.raids import way_out
from sunglare_client.bots.seeker import powered_on, switched_on
from sunglare_client.bots.steering import DEPLOY_SPEED, bearing
from sunglare_protocol.geometry import Environs, Planet, Square, Vector, box_named
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Deploy, Land, Lift, Order
from sunglare_protocol.surface import Site
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.ladder import Fate
from sunglare_rules.capital.capital import CLASS_OF_KIND
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
        self.landings = Landings()

    def see(self, view: View) -> None:
        """Take in a view: the zone of turn 1, and which ships are down."""
        if self._head is None and view.zone:
            self._head = _nearest(view)
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
            return _home(view, advice, ship)
        if view.stage.turn == 1:
            return (_deployed(view, ship, head.above(0)), *switched_on(ship))
        if is_capital(ship):
            spot = head.above(HOVERS_OUT)
            return (*switched_on(ship), *hover(advice, ship, head.planet, spot))
        return _down(advice, ship, head)

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
        return _down(advice, ship, head)


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
    squares = [square for name in view.zone for square in box_area(box_named(name)).squares()]
    at = min(squares, key=lambda square: (square.distance_squared(spot), square))
    way = bearing(at, spot).step
    vector = Vector(DEPLOY_SPEED * way.dx, DEPLOY_SPEED * way.dy)
    return Deploy(ship=ship.id, at=at, vector=vector, facing=bearing(spot, at))


def _down(advice: Advice, ship: OwnView, head: Beachhead) -> tuple[Order, ...]:
    """Return the plan of a ship that is to land."""
    landing = Land(ship=ship.id, body=head.planet.name, environs=head.environs.number)
    if advice.check((landing,)) is None:
        return (landing,)
    return (*powered_on(ship), *hover(advice, ship, head.planet, head.above(0)))


def _home(view: View, advice: Advice, ship: OwnView) -> tuple[Order, ...]:
    """Return the way off the map, which may begin in the set-up."""
    if view.stage.turn > 1:
        return (*powered_on(ship), *way_out(view, advice, ship))
    squares = [square for name in view.zone for square in box_area(box_named(name)).squares()]
    area = view.board.area
    edges = {square: min(square.x - area.west, area.east - square.x) for square in squares}
    rows = {square: min(square.y - area.north, area.south - square.y) for square in squares}
    at = min(squares, key=lambda square: (min(edges[square], rows[square]), square))
    return (Deploy(ship=ship.id, at=at),)
