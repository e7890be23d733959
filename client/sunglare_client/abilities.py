"""What a side can do by the rules, so that a bot can be asked to plan without some of it.

Theory of operation. `Advice(view, without)` is given to a bot that shall do without abilities: its
lists leave out what takes them, its checks refuse it, and `Advice.may` answers a bot that plans
for it. What is done without an order (passive listening, jammers, point defence) is a matter of
who runs the match, as is a view in which sensors and cloaks are missing.
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
    CLOAKS = "cloaks"
    SEARCHES = "searches"
    MISSIONS = "missions"
    REMOTES = "remotes"
    BOMBARDMENT = "bombardment"
    TAG = "tag"
    JAMMERS = "jammers"
    POWER_OFF = "power-off"
    TURRETS = "turrets"
    BULLSEYE = "bullseye"
    POINT_DEFENCE = "point-defence"
    MISSILES = "missiles"
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
            yield _OF_LAUNCHES[order.what]
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
