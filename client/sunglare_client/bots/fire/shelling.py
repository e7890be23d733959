"""Bombardments that are worth it: those of tokens, away from the own troops."""

from collections.abc import Iterator

from sunglare_client.advice import Advice
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Bombard
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Fate
from sunglare_rules.ground.plane import apart

DANGER_INCHES = 6
"""Nothing is shelled that lies as near as this to an own unit."""


def shelling(advice: Advice) -> Iterator[Bombard]:
    """Yield for every capital weapon the first bombardment that hits a token, far from the own."""
    done: list[tuple[OwnId, str]] = []
    for order in advice.bombardments():
        gun = (order.ship, order.weapon)
        if gun not in done and _is_worth_it(advice.view, order.at, order.cell):
            done.append(gun)
            yield order


def _is_worth_it(view: View, site: Site, cell: Cell) -> bool:
    tokens = (token.cell for map_ in view.surfaces if map_.site == site for token in map_.tokens)
    own = [unit for unit in view.ground if unit.fate is Fate.IN_PLAY and unit.site == site]
    spared = all(
        unit.cell is None or not apart(unit.cell, cell).within(DANGER_INCHES) for unit in own
    )
    return spared and cell in tokens
