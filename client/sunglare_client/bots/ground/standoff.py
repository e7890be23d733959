"""A garrison against a landing: who stands in the open, and how near they come.

A unit that leaves its hiding in sight comes identified; one that stands in the open is a blip to
all who are not near enough to see what it is. So those that are to meet a landing do not hide.
"""

from collections.abc import Iterator

from sunglare_client.bots.ground.garrison import designates, lies_low
from sunglare_client.bots.movement.measures import inches_apart
from sunglare_protocol.orders.ground import Move
from sunglare_protocol.surface import Cell
from sunglare_protocol.views import View
from sunglare_protocol.views.ground import GroundView
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.specials import Special
from sunglare_rules.advice.check.ground_bodies import tokens
from sunglare_rules.advice.legal.ground import moves_of

STANDS_OFF = 12.0
"""A garrison comes as near as this to landed units, in inches: fog hides what it is."""


def comes_out(unit: GroundView) -> bool:
    """Return whether a unit of a garrison is to meet a landing: it can, and has no better task.

    Batteries and designators have, and so has who is hard to find.
    """
    is_hard = Special.MAS in unit.specials or Special.STL in unit.specials
    return unit.move > 0 and bool(unit.weapons) and not designates(unit) and not is_hard


def standing_off(view: View) -> Iterator[Move]:
    """Yield the moves of a garrison at landed units: into range, but not into sight.

    Units that hide nearer than that stay where they are.
    """
    for unit in view.ground:
        if unit.fate is not Fate.IN_PLAY or unit.site is None or lies_low(view, unit):
            continue
        foes = [token.cell for token in tokens(view, unit.site)]
        if foes and unit.cell is not None and _off(unit.cell, foes) > 0:
            ways = [way for way in moves_of(view, unit) if way.path and not way.jump]
            able = [way for way in ways if _off(way.path[-1], foes) >= 0]
            if able:
                yield min(able, key=lambda way: _off(way.path[-1], foes))


def _off(cell: Cell, foes: list[Cell]) -> float:
    """Return by how many inches a cell is farther from the nearest foe than it need be."""
    return min(inches_apart(cell, foe) for foe in foes) - STANDS_OFF
