"""The abilities that the rules give a side, so that a bot can plan without some of them.

Theory of operation. A bot that does without abilities gets `Advice(view, without)`: its lists
leave out the orders that take them, its checks refuse these, and a bot that plans for it asks
`Advice.may`. Passive listening, jammers and point defence work without an order; the program that
runs the match switches them off, and shows the bot a view without the sensors and cloaks. What
fire depends on is a matter of the view too: who does without fire at detected ships, or out of a
cloak, is shown no such target or no such weapon, and a solution as a detected ship.
"""

from collections.abc import Iterator

from sunglare_protocol.orders import (
    Bombard,
    Cloak,
    Defend,
    Deploy,
    Fire,
    Land,
    Launch,
    Listen,
    Mission,
    Order,
    Power,
    Probe,
    Rotate,
    Scan,
    Search,
    Sweep,
)
from sunglare_protocol.word import Word
from sunglare_protocol.words.armament import DefencePolicy, Launchable
from sunglare_protocol.words.scans import ScanType


class Ability(Word):
    """One thing that the rules let a side do, by the word of the command line."""

    VISUAL = "scan-visual"
    IR = "scan-ir"
    RADAR = "scan-radar"
    NEUTRINO = "scan-neutrino"
    MASS = "scan-mass"
    SENSE = "sense"
    DATA = "data"
    LISTENING = "listening"
    SWEEPS = "sweeps"
    DETECTED_FIRE = "detected-fire"
    SOLUTIONS = "solutions"
    CLOAKS = "cloaks"
    CLOAKED_FIRE = "cloaked-fire"
    SEARCHES = "searches"
    MISSIONS = "missions"
    REMOTES = "remotes"
    BOMBARDMENT = "bombardment"
    TAG = "tag"
    JAMMERS = "jammers"
    POWER_OFF = "power-off"
    TURRETS = "turrets"
    BULLSEYE = "bullseye"
    NOVA = "nova"
    POINT_DEFENCE = "point-defence"
    MISSILES = "missiles"
    COLD_LAUNCHES = "cold-launches"
    LANDING = "landing"


OF_SCANS: dict[ScanType, Ability] = {
    ScanType.VISUAL: Ability.VISUAL,
    ScanType.IR: Ability.IR,
    ScanType.RADAR: Ability.RADAR,
    ScanType.NEUTRINO: Ability.NEUTRINO,
    ScanType.MASS: Ability.MASS,
}
"""The ability that each type of scan takes."""

_OF_ORDERS: dict[type, Ability] = {
    Bombard: Ability.BOMBARDMENT,
    Land: Ability.LANDING,
    Mission: Ability.MISSIONS,
    Probe: Ability.DATA,
    Rotate: Ability.TURRETS,
    Search: Ability.SEARCHES,
    Sweep: Ability.SWEEPS,
}
"""The ability that every order of a class takes."""

_OF_LAUNCHES: dict[Launchable, Ability] = {
    Launchable.REMOTE: Ability.REMOTES,
    Launchable.MISSILES: Ability.MISSILES,
}


def taken_by(order: Order) -> tuple[Ability, ...]:
    """Return the abilities that an order takes; the bullseye is one of weapons, not of orders."""
    always = _OF_ORDERS.get(type(order))
    if always is not None:
        return (always,)
    return tuple(_as_it_is_given(order))


def _as_it_is_given(order: Order) -> Iterator[Ability]:
    """Yield the abilities that an order takes by its fields."""
    match order:
        case Scan():
            yield from (OF_SCANS[order.type], *((Ability.SENSE,) if order.sense else ()))
        case Launch() if order.what in _OF_LAUNCHES:
            yield from (
                _OF_LAUNCHES[order.what],
                *((Ability.COLD_LAUNCHES,) if order.cold else ()),
            )
        case Fire() if order.point is not None:
            yield Ability.TAG
        case Listen(on=True):
            yield Ability.LISTENING
        case Cloak(on=True) | Deploy(cloaked=True):
            yield Ability.CLOAKS
        case Defend(policy=DefencePolicy.ALL):
            yield Ability.POINT_DEFENCE
        case Power():
            yield from _of_power(order)
        case _:
            pass


def _of_power(order: Power) -> Iterator[Ability]:
    if not order.on:
        yield Ability.POWER_OFF
    if order.ecm:
        yield Ability.JAMMERS
