"""Parts of which other worlds are made: one state with a ship or the truth changed.

Whoever owns what was changed is told of it, so that each other world is one that could be.
"""

from collections.abc import Callable, Iterator
from random import Random

import msgspec

from second_reading.parts import Window
from second_reading.scans import Look, ScanMade, scans_of, spots_of
from sunglare_protocol.geometry import Board, Square, Vector
from sunglare_protocol.ids import PUBLIC, Audience, OwnId, Side, audience_of
from sunglare_protocol.orders import Fire, Order, Probe
from sunglare_protocol.words.ladder import Fate, Fix
from sunglare_rules.sensors.sectors import in_body, sector, zone
from sunglare_rules.sensors.sunlight import in_shadow
from sunglare_server.match.ids import PieceId, hunted_piece, piece_id
from sunglare_server.match.own.ground import own_agents, own_missiles, own_units
from sunglare_server.match.own.ships import own_pieces
from sunglare_server.match.state import MatchState
from sunglare_server.match.truth.truth import ShipTruth, Truth

Orders = dict[Side, tuple[Order, ...]]
"""The orders of a window, by side."""

Apply = Callable[[MatchState, Random, Audience, Orders], MatchState | None]
"""Makes the other world from this one, for one audience; None where it can't be done now."""

NOTICED = 0.8
"""How often a twist takes a ship that the audience notices, if there is one."""

UNNOTICED = 0.04
"""How often a twist that shows in a contact is begun in a window that makes none."""

_replace = msgspec.structs.replace


def with_ship(state: MatchState, ship: ShipTruth) -> MatchState:
    """Return the state with that ship in the place of its namesake, its owner informed."""
    ships = {**state.truth.ships, ship.id: ship}
    return with_truth(state, _replace(state.truth, ships=ships))


def with_truth(state: MatchState, truth: Truth) -> MatchState:
    """Return the state with another truth, every side's own pieces copied from it."""
    truth = _with_agents(truth)
    intel = dict(state.intel)
    for side in truth.sides:
        audience = audience_of(side)
        intel[audience] = _replace(
            intel[audience],
            own=own_pieces(truth, side),
            ground=own_units(truth, side),
            agents=own_agents(truth, side),
            missiles=own_missiles(truth, side),
        )
    return _replace(state, truth=truth, intel=intel)


def _with_agents(truth: Truth) -> Truth:
    """Return the truth in which whoever was aboard a ship that is gone is gone too."""
    there = [ship.id for ship in truth.in_play()]
    lost = [
        agent
        for agent in truth.agents.values()
        if agent.in_play and agent.aboard is not None and agent.aboard not in there
    ]
    fates = {agent.id: _replace(agent, fate=Fate.ESCAPED) for agent in lost}
    return _replace(truth, agents={**truth.agents, **fates}) if lost else truth


def hidden(truth: Truth, audience: Audience) -> list[ShipTruth]:
    """Return the ships in play that are not the audience's own."""
    return [ship for ship in truth.in_play() if audience_of(ship.side) != audience]


def loose(truth: Truth, audience: Audience, *allowed: Fix) -> list[ShipTruth]:
    """Return the hidden uncloaked ships in space that nobody holds but on the rungs allowed."""
    others = tuple(fix for fix in Fix if fix not in allowed)
    return [
        ship
        for ship in hidden(truth, audience)
        if ship.landing is None and not ship.cloaked and not truth.holders(ship.id, *others)
    ]


def unfound(truth: Truth, audience: Audience) -> list[ShipTruth]:
    """Return the hidden cloaked ships that nobody has found this turn."""
    return [
        ship
        for ship in hidden(truth, audience)
        if ship.cloaked and all(truth.hunt_fix(side, ship) is None for side in truth.sides)
    ]


def is_hunted(truth: Truth, ship: ShipTruth) -> bool:
    """Return whether some side has a trail of the ship, fresh or old."""
    hunts = (hunt for side in truth.sides for hunt in truth.hunts_of(side).values())
    return any(hunt.piece == ship.id for hunt in hunts)


def pick(rng: Random, ships: list[ShipTruth]) -> ShipTruth | None:
    """Return one of the ships, or None if there is none."""
    return rng.choice(ships) if ships else None


def coming_window(state: MatchState, orders: Orders) -> Window:
    """Return the open window as if it had closed without any effect."""
    truth, standing = state.truth, state.standing
    sides = standing.slots if standing.is_sealed else standing.slots[standing.slot :][:1]
    return Window(
        before=truth,
        after=truth,
        phase=standing.phase,
        scanning=sides,
        orders=orders,
        attacks=(),
        dice=state.dice,
        options=state.options,
        is_last=standing.is_sealed or standing.slot + 1 >= len(standing.slots),
    )


def coming_spots(state: MatchState, audience: Audience, orders: Orders) -> list[ShipTruth]:
    """Return the ships that the audience is about to identify."""
    return [
        state.truth.ships[piece]
        for side, piece in spots_of(coming_window(state, orders))
        if audience_of(side) == audience
    ]


def coming_scans(state: MatchState, audience: Audience, orders: Orders) -> list[ScanMade]:
    """Return the scans that the audience is about to make; for `public` those of all."""
    return [
        made
        for made in scans_of(coming_window(state, orders))
        if audience_of(made.scanner.side) == audience or audience == PUBLIC
    ]


def squares_near(rng: Random, board: Board, around: Square, reach: int) -> Iterator[Square]:
    """Yield random squares of space within `reach` of another, along each axis."""
    for _ in range(40):
        square = Square(
            around.x + rng.randint(-reach, reach), around.y + rng.randint(-reach, reach)
        )
        if board.area.__contains__(square) and not in_body(board, square) and square != around:
            yield square


def stand(board: Board, square: Square) -> tuple[object, ...]:
    """Return what decides a ship's answers besides glare: shadow, and each planet's sector."""
    lies = ((zone(planet, square), sector(planet.at, square)) for planet in board.planets)
    return (in_shadow(board, square), *lies)


def attacks(state: MatchState, orders: Orders) -> tuple[tuple[PieceId, str, PieceId], ...]:
    """Return the shots ordered, each as shooter, weapon and target, their handles looked up."""
    found: list[tuple[PieceId, str, PieceId]] = []
    for side, given in orders.items():
        held = {
            contact.handle: piece for piece, contact in state.intel[audience_of(side)].held.items()
        }
        found.extend(
            (piece_id(side, order.ship), order.weapon, hunted_piece(held[order.at]))
            for order in given
            if isinstance(order, Fire)
            and order.at in held
            and piece_id(side, order.ship) in state.truth.ships
        )
    return tuple(found)


def batteries(state: MatchState, orders: Orders) -> tuple[tuple[PieceId, str, PieceId], ...]:
    """Return the shots ordered of ground units into space, as unit, weapon and target."""
    found: list[tuple[PieceId, str, PieceId]] = []
    for side, given in orders.items():
        held = {
            contact.handle: piece for piece, contact in state.intel[audience_of(side)].held.items()
        }
        found.extend(
            (piece_id(side, order.ship), order.weapon, held[order.at])
            for order in given
            if isinstance(order, Fire)
            and order.at in held
            and piece_id(side, order.ship) in state.truth.ground
        )
    return tuple(found)


def requests(state: MatchState, orders: Orders) -> tuple[tuple[PieceId, PieceId], ...]:
    """Return the requests for data, each as asker and target, their handles looked up."""
    found: list[tuple[PieceId, PieceId]] = []
    for side, given in orders.items():
        held = {
            contact.handle: piece for piece, contact in state.intel[audience_of(side)].held.items()
        }
        found.extend(
            (piece_id(side, order.ship), held[order.at])
            for order in given
            if isinstance(order, Probe) and order.at in held
        )
    return tuple(sorted(found))


def inquiries(state: MatchState, orders: Orders) -> tuple[tuple[PieceId, PieceId], ...]:
    """Return the requests for the data of tokens, each as asker and target."""
    found: list[tuple[PieceId, PieceId]] = []
    for side, given in orders.items():
        tokens = state.intel[audience_of(side)].tokens
        held = {token.handle: piece for piece, token in tokens.items()}
        found.extend(
            (piece_id(side, order.ship), held[order.at])
            for order in given
            if isinstance(order, Probe) and order.at in held
        )
    return tuple(sorted(found))


def shells(state: MatchState, orders: Orders) -> tuple[tuple[PieceId, str, PieceId], ...]:
    """Return the attacks ordered of ground units, each as unit, weapon and target."""
    found: list[tuple[PieceId, str, PieceId]] = []
    for side, given in orders.items():
        tokens = state.intel[audience_of(side)].tokens
        held = {token.handle: piece for piece, token in tokens.items()}
        found.extend(
            (piece_id(side, order.ship), order.weapon, held[order.at])
            for order in given
            if isinstance(order, Fire)
            and order.at in held
            and piece_id(side, order.ship) in state.truth.ground
        )
    return tuple(sorted(found))


def coming_contacts(state: MatchState, audience: Audience, orders: Orders) -> list[Look]:
    """Return the looks of the audience's coming scans that will be contacts."""
    return [
        look
        for made in coming_scans(state, audience, orders)
        for look in sorted(made.looks)
        if look.names
    ]


def pick_noticed(
    rng: Random, state: MatchState, audience: Audience, orders: Orders, ships: list[ShipTruth]
) -> ShipTruth | None:
    """Return one of the ships, most often one that the audience holds or is about to find."""
    held = {piece for side in _told_sides(state, audience) for piece in state.truth.holds[side]}
    found = {contact.piece for contact in coming_contacts(state, audience, orders)}
    for pieces in (found | _in_the_line_of_fire(state, audience, orders), held):
        noticed = [ship for ship in ships if ship.id in pieces]
        if noticed and rng.random() < NOTICED:
            return rng.choice(noticed)
    return pick(rng, ships)


def _told_sides(state: MatchState, audience: Audience) -> tuple[Side, ...]:
    if audience != PUBLIC:
        return (Side(audience),)
    return state.truth.sides if len(state.truth.sides) == 2 else ()


def _in_the_line_of_fire(state: MatchState, audience: Audience, orders: Orders) -> set[PieceId]:
    """Return the targets of the audience's coming shots, and all that fire, ask or are asked."""
    ships, shots = state.truth.ships, attacks(state, orders)
    targets = {target for by, _, target in shots if audience_of(ships[by].side) == audience}
    asked = {piece for request in requests(state, orders) for piece in request}
    return targets | {by for by, _, _ in shots} | asked


def stowaway(state: MatchState, rng: Random, audience: Audience, own: OwnId) -> ShipTruth | None:
    """Return a small cold ship more for a hidden side, near one that it has, or None."""
    truth = state.truth
    model = pick(rng, [ship for ship in hidden(truth, audience) if ship.side not in truth.out])
    if model is None:
        return None
    piece = piece_id(model.side, own)
    squares = list(squares_near(rng, truth.board, model.square, 15))
    if piece in truth.ships or not squares:
        return None
    return _replace(
        model,
        id=piece,
        own=own,
        name="stowaway",
        square=rng.choice(squares),
        vector=Vector(0, 0),
        landing=None,
        powered=False,
        starting=False,
        popped_out=False,
        cloaked=False,
        thrust_spent=0,
        thrust_used=0,
        habit=None,
    )
