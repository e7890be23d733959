"""Points of a surface map that are worth fire from above, and beams that guide it there."""

from collections.abc import Iterator
from typing import NamedTuple

from sunglare_client.abilities import Ability
from sunglare_client.advice import Advice
from sunglare_client.bots.ground.garrison import designates
from sunglare_protocol.messages.answers import BombardOdds
from sunglare_protocol.orders import Bombard, Fire
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.views import OwnView, View, WeaponView
from sunglare_protocol.views.ground import GroundView
from sunglare_protocol.words.ladder import Fate
from sunglare_rules.advice.check.bombard import tag_problem
from sunglare_rules.advice.check.ground import stands
from sunglare_rules.advice.odds.capital import bombard_odds
from sunglare_rules.capital.blasts import blast_damage
from sunglare_rules.capital.capital import CLASS_OF_KIND
from sunglare_rules.ground.plane import apart

TYPICAL_TOUGHNESS = 3
"""As much damage destroys a typical unit."""

OWN_LOSS = 2.0
"""What an own unit in a blast counts for one of theirs."""

LEAST = 0.15
"""A bombardment must be worth as many units destroyed, on average."""

FRESH_TURNS = 4
"""For so many turns a hidden unit is taken to be where spies saw it."""

BEAM = "TAG"
"""The weapon that a designator fires."""


WORTH = {"SDS battery": 2.0, "remote sensor": 0.2}
"""What types count for: a battery is the ships' own danger, a sensor gives no points."""

BLIP_WORTH = 0.6
"""What a blip counts for, which may be a mere sensor."""

HIDDEN_WORTH = 0.8
"""What a hidden unit counts for, which may have gone."""


class GroundMark(NamedTuple):
    """A foreign piece to be hit: its cell, and how many units it is still good for."""

    cell: Cell
    left: float = 1.0


class Strike(NamedTuple):
    """A bombardment, and what it promises in units destroyed."""

    order: Bombard
    worth: float


def marks(view: View, site: Site) -> list[GroundMark]:
    """Return the foreign pieces known on a map: tokens held, and hidden ones that spies saw."""
    found = [
        GroundMark(token.cell, BLIP_WORTH if token.type is None else WORTH.get(token.type, 1.0))
        for surface in view.surfaces
        if surface.site == site
        for token in surface.tokens
        if token.handle is not None and token.fate is Fate.IN_PLAY
    ]
    since = view.stage.turn - FRESH_TURNS
    found += [
        GroundMark(unit.cell, HIDDEN_WORTH)
        for report in view.spied
        if report.site == site and report.turn >= since
        for unit in report.units
        if unit.hidden
    ]
    return found


def bombardments(view: View, advice: Advice) -> tuple[Bombard | Fire, ...]:
    """Return what the ships fire from above at points, and the beams that guide it."""
    if not advice.may(Ability.BOMBARDMENT):
        return ()
    known = {site: marks(view, site) for site in sites_of(view)}
    strikes: list[Strike] = []
    for ship in advice.ships():
        for weapon in ship.weapons if ship.landed is None else ():
            if weapon.works and weapon.kind in CLASS_OF_KIND:
                strike = _best(view, ship, weapon, known)
                if strike is not None:
                    strikes.append(strike)
                    site = strike.order.at
                    known[site] = [_less(mark, ship, strike.order) for mark in known[site]]
    return (*(strike.order for strike in strikes), *_beams(view, strikes))


def is_capital(advice: Advice, ship: OwnView) -> bool:
    """Return whether a ship can bombard."""
    guns = (gun for gun in ship.weapons if gun.works and gun.kind in CLASS_OF_KIND)
    return advice.may(Ability.BOMBARDMENT) and any(guns)


def sites_of(view: View) -> tuple[Site, ...]:
    """Return all surface maps of the board."""
    return tuple(
        Site(planet.name, environs.number)
        for planet in view.board.planets
        for environs in planet.environs
    )


def _best(
    view: View, ship: OwnView, weapon: WeaponView, known: dict[Site, list[GroundMark]]
) -> Strike | None:
    """Return the point at which a weapon promises most, if it is worth a shot."""
    found = [
        strike
        for site, here in known.items()
        for cell in dict.fromkeys(mark.cell for mark in here)
        if (strike := _strike(view, ship, weapon, site, cell, here)) is not None
    ]
    return max(found, key=lambda strike: strike.worth, default=None)


def _strike(
    view: View, ship: OwnView, weapon: WeaponView, site: Site, cell: Cell, here: list[GroundMark]
) -> Strike | None:
    order = Bombard(ship=ship.id, weapon=weapon.id, at=site, cell=cell)
    odds = bombard_odds(view, ship, order)
    if not isinstance(odds, BombardOdds):
        return None
    guided = any(beam_reaches(view, unit, site, cell) for unit in view.ground)
    chance = (odds.guided_hundredths if guided else odds.hundredths) / 100
    gain = sum(min(1.0, _harm(ship, order, mark.cell)) * mark.left for mark in here)
    worth = chance * (gain - OWN_LOSS * _own_harm(view, ship, order))
    return Strike(order, worth) if worth >= LEAST else None


def _harm(ship: OwnView, order: Bombard, cell: Cell) -> float:
    """Return the damage of a hit to a piece on a cell, in typical units destroyed."""
    weapon = next(fitted for fitted in ship.weapons if fitted.id == order.weapon)
    kind = CLASS_OF_KIND[weapon.kind]
    full = weapon.damage[0] if weapon.damage else 0
    return blast_damage(kind, full, apart(order.cell, cell)) / TYPICAL_TOUGHNESS


def _own_harm(view: View, ship: OwnView, order: Bombard) -> float:
    """Return the same for the own units and landed ships around the point."""
    cells = [
        unit.cell
        for unit in view.ground
        if unit.fate is Fate.IN_PLAY and unit.site == order.at and unit.cell is not None
    ]
    for carrier in view.own:
        place = stands(view, carrier) if carrier.fate is Fate.IN_PLAY else None
        if place is not None and place[0] == order.at:
            cells.append(place[1])
    return sum(_harm(ship, order, cell) for cell in cells)


def _less(mark: GroundMark, ship: OwnView, order: Bombard) -> GroundMark:
    """Return what a mark is still good for once a strike is ordered."""
    return mark._replace(left=mark.left * max(0.2, 1 - _harm(ship, order, mark.cell)))


def _beams(view: View, strikes: list[Strike]) -> Iterator[Fire]:
    """Yield for every designator its beam on the best point fired at that it reaches."""
    ranked = sorted(strikes, key=lambda strike: -strike.worth)
    for unit in view.ground:
        points = (strike.order for strike in ranked)
        point = next((o for o in points if beam_reaches(view, unit, o.at, o.cell)), None)
        if point is not None:
            yield Fire(ship=unit.id, weapon=BEAM, point=point.cell)


def beam_reaches(view: View, unit: GroundView, site: Site, cell: Cell) -> bool:
    """Return whether a unit can put its beam on a cell."""
    if unit.fate is not Fate.IN_PLAY or unit.site != site or not designates(unit):
        return False
    return tag_problem(view, unit, Fire(ship=unit.id, weapon=BEAM, point=cell)) is None
