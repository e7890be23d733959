"""Sieges: missiles that have nothing better to do fall on the maps of others, unseen as they are.

A blast takes whatever is near where it comes down, and points for what it destroys are scored
whether it was seen or not. Nobody learns who fired from above.
"""

from collections.abc import Iterable, Iterator

from sunglare_client.advice import Advice
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Bombard
from sunglare_protocol.surface import Site
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.victory import ObjectiveKind


def sieges(advice: Advice, busy: Iterable[tuple[OwnId, str]]) -> Iterator[Bombard]:
    """Yield fire of each weapon that is not `busy` at a map where no own troops or agents are."""
    done, spared = list(busy), _own_sites(advice.view)
    for order in advice.bombardments():
        gun = (order.ship, order.weapon)
        if gun not in done and order.at not in spared:
            done.append(gun)
            yield order


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
