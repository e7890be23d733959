"""Other worlds in which another ship is cloaked, elsewhere, louder, or in somebody's trackers."""

from random import Random

import msgspec

from sunglare_protocol.geometry import Vector
from sunglare_protocol.ids import Audience, OwnId, audience_of
from sunglare_protocol.orders import Hold, Listen, Order
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.advice.legal.legal import holds
from sunglare_rules.advice.seen.lookup import ships_in_play
from sunglare_rules.cloak.trackers import stepped
from sunglare_server.match.state import MatchState
from sunglare_server.match.truth.truth import Hunt
from two_worlds.parts import (
    Orders,
    hidden,
    loose,
    pick,
    squares_near,
    stowaway,
    unfound,
    with_ship,
)

_replace = msgspec.structs.replace


def toggle_cloak(
    state: MatchState, rng: Random, audience: Audience, _orders: Orders
) -> MatchState | None:
    """Let an unheld ship be cloaked that is not, or an unfound cloaked one be shown."""
    truth = state.truth
    dark = [foreign for foreign in loose(truth, audience) if foreign.can_cloak and foreign.powered]
    ship = pick(rng, [*dark, *unfound(truth, audience)])
    if ship is None:
        return None
    if ship.cloaked:
        return with_ship(state, _replace(ship, cloaked=False))
    return with_ship(state, _replace(ship, cloaked=True, cloaks=ship.cloaks + 1, popped_out=False))


def move_cloaked(
    state: MatchState, rng: Random, audience: Audience, _orders: Orders
) -> MatchState | None:
    """Put an unfound cloaked ship elsewhere, with another vector and facing."""
    ship = pick(rng, unfound(state.truth, audience))
    if ship is None:
        return None
    squares = list(squares_near(rng, state.truth.board, ship.square, rng.choice((2, 6, 14))))
    if not squares:
        return None
    vector = ship.vector.plus(Vector(rng.randint(-1, 1), rng.randint(-1, 1)))
    facing = ship.facing.turned(rng.randint(0, 7))
    moved = _replace(ship, square=rng.choice(squares), vector=vector, facing=facing)
    return with_ship(state, moved)


def other_thrust_cloaked(
    state: MatchState, rng: Random, audience: Audience, _orders: Orders
) -> MatchState | None:
    """Let a cloaked ship have used another amount of thrust this turn."""
    ship = pick(rng, [foreign for foreign in hidden(state.truth, audience) if foreign.cloaked])
    if ship is None:
        return None
    used = rng.choice([n for n in range(9) if n != ship.thrust_used])
    spent = min(used, rng.randint(0, 4))
    return with_ship(state, _replace(ship, thrust_used=used, thrust_spent=spent))


def add_cloaked(
    state: MatchState, rng: Random, audience: Audience, _orders: Orders
) -> MatchState | None:
    """Add a cloaked ship to a hidden side."""
    added = stowaway(state, rng, audience, OwnId("S8"))
    if added is None:
        return None
    return with_ship(
        state,
        _replace(
            added,
            type=_replace(added.type, cloak=True),
            powered=True,
            cloaked=True,
            cloaks=1,
            damage=0,
            lost=(),
            thrust_used=rng.randint(0, 6),
        ),
    )


def third_side_hunts(
    state: MatchState, rng: Random, audience: Audience, _orders: Orders
) -> MatchState | None:
    """Let a third side have heard a ship of another, or not, in turns gone by."""
    truth = state.truth
    sides = [side for side in truth.sides if audience_of(side) != audience]
    hunter = rng.choice(sides)
    prey = [other for other in unfound(truth, audience) if other.side != hunter]
    ship = pick(rng, prey)
    if ship is None:
        return None
    hunts = dict(truth.hunts_of(hunter))
    hunt = hunts.get(ship.quarry, Hunt(piece=ship.id))
    trackers = stepped(hunt.trackers, rng.randint(1, 2), rng.random() < 0.3)
    # Only the truth differs: what this hunter sees of it is no part of what is compared.
    knows = dict(state.intel)
    holder = audience_of(hunter)
    if ship.quarry not in knows[holder].held:
        return None
    hunts[ship.quarry] = _replace(hunt, trackers=trackers)
    return _replace(
        state, truth=_replace(truth, hunts={**truth.hunts, hunter: hunts}), intel=knows
    )


def armed_and_hidden(
    state: MatchState, _rng: Random, audience: Audience, _orders: Orders
) -> MatchState | None:
    """Return the same world in an ENGAGE in which a hidden ship may hold weapons."""
    shown = (ship for ship in hidden(state.truth, audience) if not ship.cloaked)
    ships = (ship for ship in shown if ship.type.weapons)
    return state if state.standing.phase is Phase.ENGAGE and any(ships) else None


def searching(
    state: MatchState, _rng: Random, audience: Audience, _orders: Orders
) -> MatchState | None:
    """Return the same world in a DETECT in which there is somebody to hear."""
    there = any(ship.cloaked for ship in state.truth.in_play())
    others = hidden(state.truth, audience)
    return state if state.standing.phase is Phase.DETECT and there and others else None


def hold_or_not(rng: Random, view: View, given: tuple[Order, ...]) -> tuple[Order, ...]:
    """Return the orders with other weapons held."""
    kept = tuple(order for order in given if not isinstance(order, Hold))
    if len(kept) != len(given):
        return kept
    more = tuple(hold for hold in holds(view) if rng.random() < 0.7)
    return (*given, *more)


def listen_or_not(rng: Random, view: View, given: tuple[Order, ...]) -> tuple[Order, ...]:
    """Return the orders with other ships that do not listen."""
    kept = tuple(order for order in given if not isinstance(order, Listen))
    busy = {order.ship for order in kept}
    deaf = [ship.id for ship in ships_in_play(view) if ship.id not in busy]
    if view.stage.phase.value != "detect":
        return given
    return (*kept, *(Listen(ship=piece, on=False) for piece in deaf if rng.random() < 0.6))
