"""The ships around a planet: they bombard, land troops, or guard their batteries.

Theory of operation. Everything happens over the one environs that lies nearest to the own zone. A
planet hides near things from whatever is on its other side, so that over there a ship is seen by
few, and reached by few batteries. Ships come in backwards, as their thrust is all that holds them
against the pull.
"""

from collections.abc import Iterable
from math import ceil
from typing import NamedTuple

from sunglare_client.abilities import Ability
from sunglare_client.advice import Advice
from sunglare_client.bots.cloak.prowling import run_course
from sunglare_client.bots.cloak.quiet_ways import EDGES, Exit
from sunglare_client.bots.fire.bombarding import is_capital, marks
from sunglare_client.bots.ground.garrison import landing_ground
from sunglare_client.bots.ground.landings import Landings
from sunglare_client.bots.movement.formation import middle, squares_of
from sunglare_client.bots.movement.measures import inches_apart, within_inches
from sunglare_client.bots.movement.station_keeping import hover
from sunglare_client.bots.movement.steering import DEPLOY_SPEED, bearing
from sunglare_client.bots.outcome.reckoning import is_ahead
from sunglare_client.bots.seeker import powered_on, switched_on
from sunglare_protocol.geometry import Compass, Environs, Planet, Square, Vector
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Cloak, Deploy, Land, Launch, Lift, Order
from sunglare_protocol.orders.agents import OFF_MAP, Stand
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.views.ground import GroundView
from sunglare_protocol.words.armament import Launchable
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.pieces import PieceKind
from sunglare_rules.sensors.sectors import outward_square

WORN = 0.5
"""A raider's ship in space goes home when it has lost this share of its hull."""

LATE = 0.6
"""After this share of the match's turns guns and fighters go home even if that is not enough."""

SCOUTS_WITHIN = 12
"""Fighters are launched so many squares from where they are to fly."""


FULL_BLAST_INCHES = 2
"""So near to the point of impact a hit does all its damage."""

BESIDE_INCHES = 3
"""So far from the middle of a large ship troops get aboard."""

HIT_WITH = 3
"""What it counts in turns of walking to stand where the ship is hit."""


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
        """Return the plan of a raider's ship; None if it may not go home when that is over.

        Ships with big guns bombard, ships with troops land them; the others get out of harm's way.
        """
        head = self._head
        if head is None or not view.leaves_free:
            return None
        if ship.landed is not None:
            return (Lift(ship=ship.id),) if self.landings.are_over(view, ship) else ()
        if ship.kind is PieceKind.FIGHTER:
            return self._flies_over(view, advice, ship, head)
        lands = advice.may(Ability.LANDING) and has_troops(view, ship.id)
        works = is_capital(advice, ship) or lands
        is_worn = ship.damage > WORN * ship.hull
        is_done = not is_capital(advice, ship) and self.landings.have_ended(view)
        if not works or is_worn or is_done or self._is_over(view):
            return _home(view, advice, ship, head.environs.sector)
        if view.stage.turn == 1:
            return (deployed(view, ship, head.above(0)), *switched_on(ship))
        if is_capital(advice, ship):
            return (*switched_on(ship), *hover(advice, ship, head.planet, head.above(0)))
        cell = _cell(view, head, self._ground)
        orders = landing(advice, ship, head, (cell,)) or overhead(advice, ship, head)
        return (*orders, *_scouts(advice, ship, head, orders))

    def _is_over(self, view: View) -> bool:
        """Return whether all go home: all are off the ground, and ahead, or it is late."""
        is_late = view.stage.turn > LATE * view.stage.turns
        return self.landings.have_ended(view) and (is_late or is_ahead(view))

    def _flies_over(
        self, view: View, advice: Advice, ship: OwnView, head: Beachhead
    ) -> tuple[Order, ...]:
        """Return the plan of fighters: right above the landing ground until all go home."""
        if self._is_over(view):
            return _home(view, advice, ship, head.environs.sector)
        return hover(advice, ship, head.planet, head.above(0))

    def guards(self, view: View, advice: Advice, ship: OwnView) -> tuple[Order, ...] | None:
        """Return the plan of a ship whose side defends a planet: to guard its own batteries.

        Ships with big guns stay above the ground, out of sight of most of space; the others land.
        """
        head = self._head
        if head is None:
            return None
        if ship.landed is not None:
            return ()
        if view.stage.turn == 1:
            return (deployed(view, ship, head.above(0)),)
        if is_capital(advice, ship):
            return (*switched_on(ship), *hover(advice, ship, head.planet, head.above(0)))
        return landing(advice, ship, head, (None,)) or overhead(advice, ship, head)


def _scouts(
    advice: Advice, ship: OwnView, head: Beachhead, orders: tuple[Order, ...]
) -> tuple[Order, ...]:
    """Return the launch of fighters near the planet: they see what lies below before it lands."""
    is_near = ship.square.distance_squared(head.above(0)) <= SCOUTS_WITHIN**2
    launch = Launch(ship=ship.id, what=Launchable.FIGHTER)
    is_able = ship.flights > 0 and is_near and advice.check((*orders, launch)) is None
    return (launch,) if is_able else ()


def beachhead(view: View, site: Site) -> Beachhead | None:
    """Return the environs of a surface map, with the planet; None if there is no such map."""
    planet = next((body for body in view.board.planets if body.name == site.body), None)
    environs = view.board.environs_at(site)
    return None if planet is None or environs is None else Beachhead(planet, environs)


def has_troops(view: View, ship: OwnId) -> bool:
    """Return whether ground units are aboard a ship."""
    return any(unit.aboard == ship and unit.fate is Fate.IN_PLAY for unit in view.ground)


def _nearest(view: View) -> Beachhead | None:
    """Return the environs that is nearest to the own zone."""
    heads = [
        Beachhead(planet, environs)
        for planet in view.board.planets
        for environs in planet.environs
    ]
    start = middle(view.zone)
    return min(heads, key=lambda head: start.distance_squared(head.above(0)), default=None)


def deployed(view: View, ship: OwnView, spot: Square) -> Deploy:
    """Return a deployment as near to a spot as the zone allows, flying there backwards."""
    at = min(squares_of(view.zone), key=lambda square: (square.distance_squared(spot), square))
    way = bearing(at, spot).step
    vector = Vector(DEPLOY_SPEED * way.dx, DEPLOY_SPEED * way.dy)
    return Deploy(ship=ship.id, at=at, vector=vector, facing=bearing(spot, at))


def _cell(view: View, head: Beachhead, ground: tuple[Cell, ...]) -> Cell | None:
    """Return where to land: next to those who wait there, and then far from all foes.

    Those that wait are left as far off as their goal allows, for a landed ship draws fire.
    """
    foes = foes_on(view, head)
    waiting = [u for u in view.ground if u.site == head.site and u.fate is Fate.IN_PLAY]

    def worth(cell: Cell) -> tuple[int, float]:
        walks = sum(_walk(unit, cell) for unit in waiting)
        return -walks, min(inches_apart(cell, foe) for foe in foes)

    return max(ground, key=worth, default=None)


def _walk(unit: GroundView, cell: Cell) -> int:
    """Return how many turns a unit takes to a landed ship; being hit with it counts as many."""
    if unit.cell is None or not unit.move:
        return 0
    if within_inches(unit.cell, cell, FULL_BLAST_INCHES):
        return HIT_WITH
    return ceil(max(0.0, inches_apart(unit.cell, cell) - BESIDE_INCHES) / unit.move)


def landing(
    advice: Advice, ship: OwnView, head: Beachhead, cells: Iterable[Cell | None]
) -> tuple[Order, ...]:
    """Return the landing of a ship on the first of the cells on which it may land now, if any.

    It drops its cloak for that. Without a cell it lands in the middle of the map.
    """
    body, number = head.planet.name, head.environs.number
    shown = (Cloak(ship=ship.id, on=False),) if ship.cloaked else ()
    for cell in cells:
        order = Land(ship=ship.id, body=body, environs=number, cell=cell)
        if advice.check((*shown, order)) is None:
            return (*shown, order)
    return ()


def overhead(advice: Advice, ship: OwnView, head: Beachhead) -> tuple[Order, ...]:
    """Return the way of a ship to where it touches the body, and may land in its next move."""
    return (*powered_on(ship), *hover(advice, ship, head.planet, head.above(0)))


def foes_on(view: View, head: Beachhead) -> list[Cell]:
    """Return the cells of the foes known on the map below; of none known, its middle."""
    return [mark.cell for mark in marks(view, head.site)] or [head.environs.middle]


def _home(view: View, advice: Advice, ship: OwnView, sector: Compass) -> tuple[Order, ...]:
    """Return the way off the map on a ship's own side of the planet, which hides it from more."""
    way = Exit(sector if sector in EDGES else sector.turned(1))
    if view.stage.turn == 1:
        at = min(squares_of(view.zone), key=lambda at: (way.left(view.board, at), at))
        return (Deploy(ship=ship.id, at=at, facing=way.edge),)
    bound = Stand(ship=ship.id, bound_for=OFF_MAP)
    return (*powered_on(ship), *run_course(advice, ship, way), bound)
