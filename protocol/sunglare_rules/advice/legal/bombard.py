"""Examples of fire at points, of designations and of batteries' fire.

Source: none of its own; whatever comes from here is looked at by `check`.
"""

from collections.abc import Iterator

from sunglare_protocol.geometry import Planet
from sunglare_protocol.orders import Bombard, Fire
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.views.ground import GroundView
from sunglare_protocol.words.ladder import Fate
from sunglare_rules.advice.check.bombard import DESIGNATORS
from sunglare_rules.advice.check.ground import stands
from sunglare_rules.advice.check.ground_bodies import tokens
from sunglare_rules.advice.seen.lookup import targets
from sunglare_rules.capital.capital import CLASS_OF_ARM, CLASS_OF_KIND
from sunglare_rules.capital.zones import radar_zone


def bombards_of(view: View, ship: OwnView) -> Iterator[Bombard]:
    """Yield fire of a ship at points in its reach: at every token held, or a map's middle."""
    weapons = [
        weapon.id for weapon in ship.weapons if weapon.works and weapon.kind in CLASS_OF_KIND
    ]
    if not weapons:
        return
    place = stands(view, ship)
    for planet in view.board.planets:
        if ship.landed is None:
            sites = _sites_around(planet, ship)
        else:
            here = place is not None and place[0].body == planet.name
            sites = _sites(planet) if here else ()
        for site in sites:
            for cell in _cells(view, site):
                for weapon in weapons:
                    yield Bombard(ship=ship.id, weapon=weapon, at=site, cell=cell)


def unit_bombards_of(view: View, unit: GroundView) -> Iterator[Bombard]:
    """Yield missiles of a ground unit at points of the maps of its planet."""
    weapons = [weapon.id for weapon in unit.weapons if weapon.kind in CLASS_OF_ARM]
    if unit.site is None or unit.fate is not Fate.IN_PLAY or not weapons:
        return
    for planet in view.board.planets:
        for site in _sites(planet) if planet.name == unit.site.body else ():
            for cell in _cells(view, site):
                for weapon in weapons:
                    yield Bombard(ship=unit.id, weapon=weapon, at=site, cell=cell)


def battery_shots_of(view: View, unit: GroundView) -> Iterator[Fire]:
    """Yield fire of a unit's batteries at all that is held in space."""
    for weapon in unit.weapons:
        if weapon.kind in CLASS_OF_ARM:
            for target in targets(view):
                yield Fire(ship=unit.id, weapon=weapon.id, at=target.handle)


def designations_of(view: View, unit: GroundView) -> Iterator[Fire]:
    """Yield beams of a unit on every token that its side holds on the unit's map."""
    for special in unit.specials:
        if special.value in DESIGNATORS and unit.site is not None:
            for cell in _cells(view, unit.site):
                yield Fire(ship=unit.id, weapon=special.value, point=cell)


def _sites(planet: Planet) -> tuple[Site, ...]:
    return tuple(Site(planet.name, environs.number) for environs in planet.environs)


def _sites_around(planet: Planet, ship: OwnView) -> tuple[Site, ...]:
    sites = (
        Site(planet.name, environs.number)
        for environs in planet.environs
        if radar_zone(planet, environs.sector, ship.square) is not None
    )
    return tuple(sites)


def _cells(view: View, site: Site) -> tuple[Cell, ...]:
    environs = view.board.environs_at(site)
    held = tuple(dict.fromkeys(token.cell for token in tokens(view, site)))
    return held or (() if environs is None else (environs.middle,))
