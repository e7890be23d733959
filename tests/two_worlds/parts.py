"""Parts of which other worlds are made: one state with a ship or the truth changed.

Whoever owns what was changed is told of it, so that each other world is one that could be.
"""

from collections.abc import Callable, Iterator
from functools import wraps
from random import Random
from typing import TypeVar, final

import msgspec

from second_reading.parts import Window
from second_reading.scans import Look, ScanMade, scans_of, spots_of
from sunglare_protocol.geometry import Board, Square, Vector
from sunglare_protocol.ids import PUBLIC, Audience, OwnId, Side, audience_of
from sunglare_protocol.orders import Fire, Order, Probe
from sunglare_protocol.words.ladder import Fate, Fix, Phase
from sunglare_rules.sensors.sectors import in_body, sector, zone
from sunglare_rules.sensors.sunlight import in_shadow
from sunglare_server.match.events.space import Event
from sunglare_server.match.ids import PieceId, hunted_piece, piece_id
from sunglare_server.match.own.ground import own_agents, own_missiles, own_units
from sunglare_server.match.own.ships import own_pieces
from sunglare_server.match.state import MatchState
from sunglare_server.match.truth.truth import ShipTruth, Truth

Orders = dict[Side, tuple[Order, ...]]
"""The orders of a window, by side."""

Shots = tuple[tuple[PieceId, str, PieceId], ...]
"""Shots ordered, each as shooter, weapon and target."""

Requests = tuple[tuple[PieceId, PieceId], ...]
"""Requests for data, each as asker and target."""

NOTICED = 0.8
"""How often a twist takes a ship that the audience notices, if there is one."""

UNNOTICED = 0.04
"""How often a twist that shows in a contact is begun in a window that makes none."""

_replace = msgspec.structs.replace


@final
class World(msgspec.Struct, frozen=True):
    """The world of which a twist makes another: state, orders, and who may not notice."""

    state: MatchState
    audience: Audience
    orders: Orders

    @property
    def truth(self) -> Truth:
        """Return what is true in it."""
        return self.state.truth

    def is_own(self, side: Side) -> bool:
        """Return whether the audience is that side."""
        return audience_of(side) == self.audience

    @property
    def others(self) -> list[Side]:
        """Return the sides that the audience is not."""
        return [side for side in self.truth.sides if not self.is_own(side)]

    @property
    def hidden(self) -> list[ShipTruth]:
        """Return the ships in play that are not the audience's own."""
        return [ship for ship in self.truth.in_play() if not self.is_own(ship.side)]

    def loose(self, *allowed: Fix) -> list[ShipTruth]:
        """Return the hidden uncloaked ships in space that nobody holds but on these rungs."""
        others = tuple(fix for fix in Fix if fix not in allowed)
        shown = [ship for ship in self.hidden if ship.landing is None and not ship.cloaked]
        return [ship for ship in shown if not self.truth.holders(ship.id, *others)]

    @property
    def coasting(self) -> list[ShipTruth]:
        """Return the hidden ships that are held as coasting tracks, and in no other way."""
        loose = self.loose(Fix.COASTING)
        return [ship for ship in loose if self.truth.holders(ship.id, Fix.COASTING)]

    @property
    def unfound(self) -> list[ShipTruth]:
        """Return the hidden cloaked ships that nobody has found this turn."""
        truth = self.truth
        return [
            ship
            for ship in self.hidden
            if ship.cloaked and all(truth.hunt_fix(side, ship) is None for side in truth.sides)
        ]

    def with_ship(self, ship: ShipTruth) -> MatchState:
        """Return the state with that ship in the place of its namesake, its owner informed."""
        return self.with_truth(ships={**self.truth.ships, ship.id: ship})

    def with_truth(self, **changed: object) -> MatchState:
        """Return the state with parts of its truth changed, every side's own pieces copied."""
        return informed(self.state, _replace(self.truth, **changed))

    @property
    def _coming(self) -> Window:
        """Return the open window as if it had closed without any effect."""
        return window_of(self.state, self.state, self.orders, PUBLIC)

    @property
    def coming_spots(self) -> list[ShipTruth]:
        """Return the ships that the audience is about to identify."""
        spots = spots_of(self._coming)
        return [self.truth.ships[piece] for side, piece in spots if self.is_own(side)]

    @property
    def coming_scans(self) -> list[ScanMade]:
        """Return the scans that the audience is about to make; for `public` those of all."""
        is_public = self.audience == PUBLIC
        made = scans_of(self._coming)
        return [scan for scan in made if is_public or self.is_own(scan.scanner.side)]

    @property
    def coming_contacts(self) -> list[Look]:
        """Return the looks of the audience's coming scans that will be contacts."""
        return [look for made in self.coming_scans for look in sorted(made.looks) if look.names]

    def noticed(self, rng: Random, ships: list[ShipTruth]) -> ShipTruth | None:
        """Return one of the ships, most often one that the audience holds or is about to find."""
        held = {piece for side in self._told_sides for piece in self.truth.holds[side]}
        found = {contact.piece for contact in self.coming_contacts}
        for pieces in (found | self._in_the_line_of_fire, held):
            noticed = [ship for ship in ships if ship.id in pieces]
            if noticed and rng.random() < NOTICED:
                return rng.choice(noticed)
        return pick(rng, ships)

    @property
    def _told_sides(self) -> tuple[Side, ...]:
        if self.audience != PUBLIC:
            return (Side(self.audience),)
        return self.truth.sides if len(self.truth.sides) == 2 else ()

    @property
    def _in_the_line_of_fire(self) -> set[PieceId]:
        """Return the targets of the audience's coming shots, and all that fire or ask."""
        ships, shots = self.truth.ships, attacks(self.state, self.orders)
        targets = {target for by, _, target in shots if self.is_own(ships[by].side)}
        asked = {piece for request in requests(self.state, self.orders) for piece in request}
        return targets | {by for by, _, _ in shots} | asked


Apply = Callable[[World, Random], MatchState | None]
"""Makes the other world from this one, for one audience; None where it can't be done now."""

Which = Callable[[World], list[ShipTruth]]
"""The ships of which a twist changes one."""

Other = Callable[[ShipTruth, Random, World], ShipTruth | None]
"""What becomes of that ship; None where it can't be otherwise now."""


def of_one(which: Which) -> Callable[[Other], Apply]:
    """Return what makes a twist of the change of one ship: of any of these."""
    return _twist(lambda world, rng: pick(rng, which(world)))


def of_noticed(which: Which) -> Callable[[Other], Apply]:
    """Return what makes a twist of the change of one ship: most often of one that is noticed."""
    return _twist(lambda world, rng: world.noticed(rng, which(world)))


def _twist(chosen: Callable[[World, Random], ShipTruth | None]) -> Callable[[Other], Apply]:
    def decorated(other: Other) -> Apply:
        @wraps(other)
        def apply(world: World, rng: Random) -> MatchState | None:
            ship = chosen(world, rng)
            changed = None if ship is None else other(ship, rng, world)
            return None if changed is None else world.with_ship(changed)

        return apply

    return decorated


def informed(state: MatchState, truth: Truth) -> MatchState:
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


def window_of(
    before: MatchState,
    after: MatchState,
    orders: Orders,
    audience: Audience,
    happened: tuple[Event, ...] = (),
) -> Window:
    """Return the window between two states of a match, as the rules need it for `audience`."""
    standing = before.standing
    slots = standing.slots if standing.phase is Phase.SCAN else ()
    setup = None if audience == PUBLIC else before.scenario.sides[Side(audience)]
    return Window(
        before=before.truth,
        after=after.truth,
        phase=standing.phase,
        scanning=slots if standing.is_sealed else slots[standing.slot :][:1],
        orders=orders,
        attacks=attacks(before, orders),
        shells=shells(before, orders),
        happened=happened,
        requests=requests(before, orders),
        inquiries=inquiries(before, orders),
        is_last=standing.is_sealed or standing.slot + 1 >= len(standing.slots),
        batteries=batteries(before, orders),
        dice=before.dice,
        options=before.options,
        initiative=standing.initiative,
        objectives=() if setup is None else setup.objectives,
        values=before.options.contact_values == "yes",
        decisive=tuple(
            goal
            for side in before.truth.sides
            for goal in before.scenario.sides[side].objectives
            if goal.ends_after
        ),
    )


_Aimed = TypeVar("_Aimed", Fire, Probe)


def _aimed(
    state: MatchState, orders: Orders, kind: type[_Aimed], *, on_map: bool = False
) -> Iterator[tuple[PieceId, _Aimed, PieceId]]:
    """Yield the orders of a kind with who is to act and at what, its handle looked up."""
    for side, given in orders.items():
        intel = state.intel[audience_of(side)]
        tokens = {token.handle: piece for piece, token in intel.tokens.items()}
        contacts = {contact.handle: piece for piece, contact in intel.held.items()}
        held = tokens if on_map else contacts
        for order in given:
            if isinstance(order, kind) and order.at in held:
                yield piece_id(side, order.ship), order, held[order.at]


def attacks(state: MatchState, orders: Orders) -> Shots:
    """Return the shots ordered of ships."""
    fired = _aimed(state, orders, Fire)
    return tuple(
        (by, order.weapon, hunted_piece(target))
        for by, order, target in fired
        if by in state.truth.ships
    )


def batteries(state: MatchState, orders: Orders) -> Shots:
    """Return the shots ordered of ground units into space."""
    return tuple(_from_ground(state, orders, on_map=False))


def shells(state: MatchState, orders: Orders) -> Shots:
    """Return the attacks ordered of ground units on tokens."""
    return tuple(sorted(_from_ground(state, orders, on_map=True)))


def _from_ground(
    state: MatchState, orders: Orders, *, on_map: bool
) -> Iterator[tuple[PieceId, str, PieceId]]:
    for by, order, target in _aimed(state, orders, Fire, on_map=on_map):
        if by in state.truth.ground:
            yield by, order.weapon, target


def requests(state: MatchState, orders: Orders) -> Requests:
    """Return the requests for the data of pieces in space."""
    return tuple(sorted((by, target) for by, _, target in _aimed(state, orders, Probe)))


def inquiries(state: MatchState, orders: Orders) -> Requests:
    """Return the requests for the data of tokens."""
    asked = _aimed(state, orders, Probe, on_map=True)
    return tuple(sorted((by, target) for by, _, target in asked))


def is_hunted(truth: Truth, ship: ShipTruth) -> bool:
    """Return whether some side has a trail of the ship, fresh or old."""
    hunts = (hunt for side in truth.sides for hunt in truth.hunts_of(side).values())
    return any(hunt.piece == ship.id for hunt in hunts)


_One = TypeVar("_One")


def pick(rng: Random, ones: list[_One]) -> _One | None:
    """Return one of these, or None if there is none."""
    return rng.choice(ones) if ones else None


def squares_near(rng: Random, board: Board, around: Square, reach: int) -> list[Square]:
    """Return random squares of space within `reach` of another, along each axis."""
    squares = [
        Square(around.x + rng.randint(-reach, reach), around.y + rng.randint(-reach, reach))
        for _ in range(40)
    ]
    inside = [square for square in squares if board.area.__contains__(square) and square != around]
    return [square for square in inside if not in_body(board, square)]


def stand(board: Board, square: Square) -> tuple[object, ...]:
    """Return what decides a ship's answers besides glare: shadow, and each planet's sector."""
    lies = ((zone(planet, square), sector(planet.at, square)) for planet in board.planets)
    return (in_shadow(board, square), *lies)


def stowaway(world: World, rng: Random, own: OwnId) -> ShipTruth | None:
    """Return a small cold ship more for a hidden side, near one that it has, or None."""
    truth = world.truth
    model = pick(rng, [ship for ship in world.hidden if ship.side not in truth.out])
    if model is None:
        return None
    piece = piece_id(model.side, own)
    squares = squares_near(rng, truth.board, model.square, 15)
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
