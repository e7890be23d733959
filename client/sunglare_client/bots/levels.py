"""The levels of the bots: what each goes without, of what it sees and of what its side can do.

A bot of a lower level decides as well as it can, by the same code; it is shown less and may order
less. Nothing is left to chance, and no choice is made worse on purpose.
"""

from collections.abc import Iterable
from typing import NamedTuple, final

import msgspec

from sunglare_client.abilities import Ability
from sunglare_client.advice import Advice
from sunglare_client.bot import Bot
from sunglare_client.bots.limits import Limited
from sunglare_protocol.botnames import LEVEL_MOST
from sunglare_protocol.orders import Order
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Fix


@final
class Level(NamedTuple):
    """What a bot has at a level.

    `ahead` is how many turns it reckons the flight of foreign pieces on: any number, or none at
    all with 0. With `remembers` it knows what it has held before, without only what it holds.
    """

    ahead: int | None = None
    remembers: bool = True
    without: tuple[Ability, ...] = ()


_FOURTH = (Ability.BULLSEYE, Ability.CLOAKED_FIRE, Ability.TAG)
_THIRD = (*_FOURTH, Ability.SENSE, Ability.SWEEPS)
_SECOND = (
    *_THIRD,
    Ability.BOMBARDMENT,
    Ability.JAMMERS,
    Ability.MASS,
    Ability.NEUTRINO,
    Ability.RADAR,
    Ability.REMOTES,
    Ability.SOLUTIONS,
)
_FIRST = (
    *_SECOND,
    Ability.DATA,
    Ability.IR,
    Ability.LANDING,
    Ability.LISTENING,
    Ability.MISSILES,
    Ability.MISSIONS,
    Ability.TURRETS,
)

LEVELS: dict[int, Level] = {
    1: Level(ahead=0, remembers=False, without=_FIRST),
    2: Level(ahead=0, remembers=False, without=_SECOND),
    3: Level(ahead=0, without=_THIRD),
    4: Level(ahead=0, without=_FOURTH),
    5: Level(),
}
"""What each level has; each has all that the one below has."""


class Levelled(Limited):
    """Plays as another bot does with what a level has."""

    kind: type[Bot]
    level: Level

    def __init__(self, seed: int = 0) -> None:
        super().__init__(self.kind, self.level.without, seed)

    def on_window(self, view: View, advice: Advice) -> Iterable[Order]:
        """Return what the bot orders, by as much of the view as the level sees."""
        return super().on_window(seen_at(view, self.level), advice)


def levelled(kind: type[Bot], level: int) -> type[Bot]:
    """Return a bot at a level, 1 to 5: at the highest the bot itself."""
    if level == LEVEL_MOST:
        return kind
    return type(
        f"{kind.__name__}{level}",
        (Levelled,),
        {"name": f"{kind.name}-{level}", "kind": kind, "level": LEVELS[level]},
    )


def seen_at(view: View, level: Level) -> View:
    """Return a view as a level sees it: foreign pieces without a vector, or none remembered."""
    contacts = [
        contact for contact in view.contacts if level.remembers or contact.fix is not Fix.MEMORY
    ]
    if level.ahead == 0:
        contacts = [msgspec.structs.replace(contact, vector=None) for contact in contacts]
    return msgspec.structs.replace(view, contacts=tuple(contacts))
