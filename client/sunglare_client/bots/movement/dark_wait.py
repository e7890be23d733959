"""Dark waits: a lone ship among several enemies lies with its plant off while they look for it.

The plant shows a ship by its heat, and a reactor to all that feel for one; its hull alone is seen
by eye. A ship whose plant is off neither moves nor fires, for a turn longer than it wants to; but
its sensors for reactors and for mass work. With two enemies or more it is well that those who are
found first are others: they meet, and who comes late finds them burning.
"""

from collections.abc import Iterable

from sunglare_client.abilities import Ability
from sunglare_client.advice import Advice
from sunglare_client.bots.movement.ambush_sites import is_found
from sunglare_client.bots.movement.hunting import Quarry
from sunglare_client.bots.movement.measures import drifted_on
from sunglare_client.bots.movement.musters import fleet_of
from sunglare_client.bots.movement.steering import distance
from sunglare_protocol.views import OwnView
from sunglare_rules.turn.movement import AT_REST

STARTS_WITHIN = 18.0
"""A ship starts its plant for an enemy as near as this, in squares: no gun reaches so far."""

WAITS = 1 / 20
"""It waits for this part of the match at most: by then those who look have found each other."""


def lies_dark(advice: Advice, ship: OwnView, foes: Iterable[Quarry]) -> bool:
    """Return whether a ship lies with its plant off: at rest, alone, unseen, with no foe near."""
    view = advice.view
    enemies = len(view.stage.sides) - len(view.stage.out) - 1
    is_alone = enemies > 1 and fleet_of(advice) == (ship,)
    is_early = view.stage.turn < WAITS * view.stage.turns
    is_at_rest = drifted_on(view.board, ship.square, ship.vector) == (ship.square, AT_REST)
    if not (advice.may(Ability.POWER_OFF) and is_alone and is_early and is_at_rest):
        return False
    return not is_found(ship) and all(
        distance(ship.square, foe.after_move) > STARTS_WITHIN for foe in foes
    )
