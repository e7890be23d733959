"""What a twist is: what differs in the other world, and which of its windows count."""

from collections.abc import Callable
from random import Random
from typing import Any, final

import msgspec

from second_reading.granted import granted
from second_reading.parts import Window
from sunglare_protocol.ids import Audience, Side
from sunglare_protocol.orders import Order
from sunglare_protocol.views import View
from sunglare_rules.blips.ecm import has_jammer
from sunglare_rules.blips.in_space import has_probe
from sunglare_server.match.record import Body, OrdersGiven
from sunglare_server.match.state import MatchState
from two_worlds.parts import Apply, World

Valid = Callable[[Window, Window, Audience], bool]
"""A judgement of the same window in both worlds, for one audience."""

Told = Callable[[Random, Side, OrdersGiven], tuple[Body, ...]]
"""What a hidden side of the other world gives instead of its one command."""

Alters = Callable[[Random, View, tuple[Order, ...]], tuple[Order, ...]]
"""What a hidden side of the other world orders instead; the same whenever it is asked."""


def same_granted(window: Window, other: Window, audience: Audience) -> bool:
    """Return whether both windows let the audience learn the same."""
    return granted(window, audience) == granted(other, audience)


def always(_window: Window, _other: Window, _audience: Audience) -> bool:
    """Return True: the window counts whatever happened in it."""
    return True


def truths_differ(window: Window, other: Window, _audience: Audience) -> bool:
    """Return whether the two truths still differ, as they must for a window to count."""
    return window.before != other.before or list(window.before.ships) != list(other.before.ships)


def orders_differ(window: Window, other: Window, _audience: Audience) -> bool:
    """Return whether a hidden side has ordered something else."""
    return window.orders != other.orders


def unchanged(world: World, _rng: Random) -> MatchState | None:
    """Return the same world: the difference lies in the records to come."""
    return world.state


def as_given(_rng: Random, _side: Side, given: OrdersGiven) -> tuple[Body, ...]:
    """Return the one command of this world."""
    return (given,)


def anywhere(_state: MatchState) -> bool:
    """Return True: every match has what the twist is about."""
    return True


def with_asteroids(state: MatchState) -> bool:
    """Return whether there are asteroids."""
    return bool(state.truth.board.asteroids)


def on_the_ground(state: MatchState) -> bool:
    """Return whether there are ground units."""
    return bool(state.truth.ground)


def decided_on_the_ground(state: MatchState) -> bool:
    """Return whether the occupation of an environs ends the match."""
    setups = state.scenario.sides.values()
    return any(goal.at and goal.ends_after for setup in setups for goal in setup.objectives)


def jamming_on_the_ground(state: MatchState) -> bool:
    """Return whether there are ground units with jammers and with probes."""
    kinds = [unit.type.specials for unit in state.truth.ground.values()]
    return any(map(has_jammer, kinds)) and any(map(has_probe, kinds))


def with_agents(state: MatchState) -> bool:
    """Return whether there are characters."""
    return bool(state.truth.agents)


def as_ordered(_rng: Random, _view: View, given: tuple[Order, ...]) -> tuple[Order, ...]:
    """Return the orders of this world."""
    return given


@final
class Twist(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of difference; `bites` says whether a window put it to the test.

    `rows` are the rows of the ledger that it concerns, as event/role, divided by spaces; `where`
    says whether a match has at all what the twist is about.
    """

    name: str
    rows: str = ""
    apply: Apply = unchanged
    told: Told = as_given
    alters: Alters = as_ordered
    valid: Valid = same_granted
    bites: Valid = truths_differ
    sides_least: int = 2
    where: Callable[[MatchState], bool] = anywhere


def twist(apply: Apply, rows: str, **other: Any) -> Twist:
    """Return a twist that concerns these rows and is called as what makes its other world."""
    return Twist(name=apply.__name__, rows=rows, apply=apply, **other)
