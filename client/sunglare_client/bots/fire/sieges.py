"""Sieges: who flies over surface maps to shell them, what is shelled unseen, and who guides it.

A blast hits everything near where it comes down, and points for what it destroys are scored
whether it was seen or not; no side learns who fired from above. A missile with nothing better to
do may therefore as well fall on a map of others. Where tokens are held, ships with capital weapons
come over the map, and own designators put their beams where the fire is to fall.
"""

from collections.abc import Callable, Iterable, Iterator

import msgspec

from sunglare_client.advice import Advice
from sunglare_client.bots.fire.bombarding import is_capital
from sunglare_client.bots.ground.flotilla import Beachhead, beachhead
from sunglare_client.bots.movement.hunting import Quarry
from sunglare_client.bots.movement.measures import within_inches
from sunglare_client.bots.movement.station_keeping import hover
from sunglare_client.bots.movement.steering import bearing, best_course, distance, parking
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Bombard, Fire, Order
from sunglare_protocol.orders.agents import Mission
from sunglare_protocol.surface import Site
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.search import MissionKind
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_rules.capital.tag import TAG_BRACKET
from sunglare_rules.turn.movement import Flight

BATTERY = "SDS battery"
"""As what all batteries that fire into space are identified."""

LEFT_ALONE = 18.0
"""A ship goes over a map only if no enemy ship is as near as this, in squares."""

DANGER_INCHES = 6
"""No token is shelled that lies as near as this to an own unit."""

BRAKES_WITHIN = 5.0
"""Squares from its place within which a ship turns to brake instead of to get there."""


def shelling(advice: Advice) -> Iterator[Bombard]:
    """Yield for every capital weapon the first fire that hits a token, far from all own units."""
    view = advice.view
    tokens = [(map_.site, token.cell) for map_ in view.surfaces for token in map_.tokens]
    units = [(unit.site, unit.cell) for unit in view.ground if unit.fate is Fate.IN_PLAY]

    def is_fit(order: Bombard) -> bool:
        near = (cell for site, cell in units if site == order.at and cell is not None)
        spared = not any(within_inches(cell, order.cell, DANGER_INCHES) for cell in near)
        return spared and (order.at, order.cell) in tokens

    return _first(advice, (), is_fit)


def sieges(advice: Advice, busy: Iterable[tuple[OwnId, str]]) -> Iterator[Bombard]:
    """Yield fire of each weapon that is not `busy` at a map where no own troops are."""
    spared = _own_sites(advice.view)
    return _first(advice, busy, lambda order: order.at not in spared)


def _first(
    advice: Advice, busy: Iterable[tuple[OwnId, str]], is_fit: Callable[[Bombard], bool]
) -> Iterator[Bombard]:
    """Yield for every weapon that is not busy its first fire at a map that is fit."""
    done = list(busy)
    for order in advice.bombardments():
        gun = (order.ship, order.weapon)
        if gun not in done and is_fit(order):
            done.append(gun)
            yield order


def beams(advice: Advice, given: Iterable[Order]) -> Iterator[Fire]:
    """Yield for each own designator its beam on a point that is shelled from above, if it may."""
    shelled = [order for order in given if isinstance(order, Bombard)]
    for unit in advice.view.ground:
        aims = (
            Fire(ship=unit.id, weapon=special.value, point=order.cell)
            for special in unit.specials
            if special in TAG_BRACKET
            for order in shelled
            if order.at == unit.site
        )
        yield from [aim for aim in aims if advice.check((aim,)) is None][:1]


def silenced(view: View, orders: Iterable[Order]) -> Iterator[Order]:
    """Yield orders as they are, but that sabotage takes the fire of a battery if one is known.

    What an agent can do to it would leave it standing, and it fires at every ship that comes.
    """
    sites = {agent.id: agent.site for agent in view.agents}
    batteries = {
        surface.site: token.handle
        for surface in view.surfaces
        for token in surface.tokens
        if token.type == BATTERY and token.handle is not None
    }
    for order in orders:
        is_sabotage = isinstance(order, Mission) and order.kind is MissionKind.SABOTAGE
        site = sites.get(order.ship) if is_sabotage else None
        if site is None or site not in batteries:
            yield order
        else:
            yield msgspec.structs.replace(order, at=batteries[site], silence=True)


def siege_course(
    advice: Advice, ship: OwnView, foes: tuple[Quarry, ...]
) -> tuple[Order, ...] | None:
    """Return the course of a ship that is to shell a map from above, or None if it is not.

    It has a capital weapon, there are tokens to shell, and no enemy ship is near. It goes where it
    is right above them, as a shot from there is never indirect.
    """
    if _is_near(ship, foes) or not is_capital(advice, ship):
        return None
    heads = list(_heads(advice.view))
    if not heads:
        return None
    head = min(heads, key=lambda head: ship.square.distance_squared(head.above(0)))
    spot = head.above(0)
    if distance(ship.square, spot) <= BRAKES_WITHIN:
        return hover(advice, ship, head.planet, spot)
    parked = parking(advice.view.board, spot, ship.thrust)

    def cost(flight: Flight) -> float:
        return parked(flight) + flight.facing.apart(bearing(flight.square, spot))

    return best_course(advice, ship, cost)


def _is_near(ship: OwnView, foes: tuple[Quarry, ...]) -> bool:
    return any(distance(ship.square, foe.after_move) <= LEFT_ALONE for foe in foes)


def _heads(view: View) -> Iterator[Beachhead]:
    """Yield the maps on which foreign tokens are held."""
    for surface in view.surfaces:
        head = beachhead(view, surface.site)
        if head is not None and any(token.handle is not None for token in surface.tokens):
            yield head


def _own_sites(view: View) -> tuple[Site, ...]:
    """Return the maps that are not shelled blindly: with own pieces, or which the side holds."""
    units = (unit.site for unit in view.ground if unit.fate is Fate.IN_PLAY)
    landed = (
        Site(ship.landed.body, ship.landed.environs)
        for ship in view.own
        if ship.landed is not None and ship.landed.environs is not None
    )
    held = (goal.at for goal in view.objectives if goal.kind is ObjectiveKind.HOLD)
    return tuple(site for site in (*units, *landed, *held) if site is not None)
