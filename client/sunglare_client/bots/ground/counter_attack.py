"""Counter-attacks out of hiding on what is known: strong units fire, designators point.

A unit that moves unseen is a token and no more, so that even then little is given away.
"""

from collections.abc import Iterator

import msgspec

from sunglare_client.advice import Advice
from sunglare_client.bots.fire.bombarding import beam_reaches, is_capital, marks
from sunglare_client.bots.ground.garrison import BEAM_INCHES, designates, lies_low
from sunglare_client.bots.ground.landings import ways_of
from sunglare_client.bots.ground.searches import advance
from sunglare_client.bots.movement.measures import inches_apart
from sunglare_protocol.orders.ground import Move
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.views import View
from sunglare_protocol.views.ground import GroundView
from sunglare_protocol.words.ladder import Fate
from sunglare_rules.advice.legal.ground import attacks_of
from sunglare_rules.advice.seen.lookup import ships_in_play
from sunglare_rules.sensors.sectors import wells_of

STRIKES_WITH = 2
"""A unit comes out if one of its weapons does so much damage beyond short range."""


def sallies(view: View) -> Iterator[Move]:
    """Yield the moves of those who can strike, towards tokens that they cannot fire at yet."""
    for unit in view.ground:
        if unit.fate is not Fate.IN_PLAY or unit.site is None or lies_low(view, unit):
            continue
        if _strikes(unit) and marks(view, unit.site) and not any(attacks_of(view, unit)):
            yield from advance(view, unit)


def pointers(view: View, advice: Advice) -> Iterator[Move]:
    """Yield the moves of designators to where their beams reach what is to be fired at."""
    guns = [
        ship for ship in ships_in_play(view) if is_capital(advice, ship) and ship.landed is None
    ]
    if not any(wells_of(view.board, ship.square) for ship in guns):
        return
    for unit in view.ground:
        if unit.fate is not Fate.IN_PLAY or unit.site is None or not designates(unit):
            continue
        cells = [mark.cell for mark in marks(view, unit.site)]
        if cells and not any(beam_reaches(view, unit, unit.site, cell) for cell in cells):
            yield from _to_point(view, unit, unit.site, cells)


def _to_point(view: View, unit: GroundView, site: Site, cells: list[Cell]) -> Iterator[Move]:
    """Yield the move to the farthest place from which a beam reaches a cell, or nearer to one."""

    def worth(way: Move) -> tuple[bool, float]:
        there = msgspec.structs.replace(unit, cell=way.path[-1])
        reached = any(beam_reaches(view, there, site, cell) for cell in cells)
        gap = min(inches_apart(way.path[-1], cell) for cell in cells)
        return reached, gap if reached else -max(gap, BEAM_INCHES)

    ways = [way for way in ways_of(view, unit) if not way.jump]
    if ways:
        yield max(ways, key=worth)


def _strikes(unit: GroundView) -> bool:
    return unit.move > 0 and any(arm.damage[1] >= STRIKES_WITH for arm in unit.weapons)
