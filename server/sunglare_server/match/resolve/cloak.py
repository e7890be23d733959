"""DETECT: sweeps, passive rolls, trackers and solutions; and what a ship shows that uncloaks.

Source: Full Thrust cloak detection of 2001; cloak hunting of our rule book §3 and §4.
"""

from collections.abc import Iterable, Iterator, Mapping

from sunglare_protocol.ids import Side
from sunglare_protocol.orders import DetectOrder, Listen, Sweep
from sunglare_protocol.words.cloak import NoiseBlinds, PassiveReveals, TrackerMode
from sunglare_protocol.words.ladder import Fix
from sunglare_protocol.words.pieces import PieceKind
from sunglare_rules.cloak.cloak import (
    Hunter,
    Quarry,
    Tie,
    fastest_thrust,
    notices_uncloaking,
    passive_finds,
    passive_possible,
)
from sunglare_rules.cloak.sweeps import alternating, is_jammed, jam_end, sweep, sweep_order
from sunglare_rules.cloak.trackers import (
    is_empty,
    solution_dice,
    solution_window,
    stepped,
)
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.dice import Dice, Purpose
from sunglare_server.match.events.cloak import (
    CloakSwitched,
    HuntEnded,
    HuntStepped,
    JamEnded,
    PassiveRolled,
    SpaceJammed,
    SweepDeclared,
    SweepRolled,
    UncloakingSeen,
)
from sunglare_server.match.events.space import (
    Event,
)
from sunglare_server.match.ids import PieceId
from sunglare_server.match.truth.truth import Hunt, ShipTruth, Truth

DetectOrders = Mapping[PieceId, DetectOrder]
"""The accepted DETECT orders by ship."""


def uncloakings(truth: Truth, switched: Iterable[Event]) -> Iterator[UncloakingSeen]:
    """Yield who sees the ships that uncloaked this turn, where they have moved to."""
    for event in switched:
        if isinstance(event, CloakSwitched) and not event.on:
            ship = truth.ships[event.piece]
            for side in truth.others(ship.side) if ship.in_play else ():
                if any(_notices(truth, witness, ship) for witness in truth.ships_of(side)):
                    yield UncloakingSeen(piece=ship.id, side=side)


def hunts_now(ship: ShipTruth) -> bool:
    """Return whether the ship may listen or sweep: shown, powered and in space."""
    return _is_awake(ship) and ship.landing is None


def declarations(truth: Truth, orders: DetectOrders) -> Iterator[SweepDeclared]:
    """Yield the sweeps that are declared, before any of them is rolled for."""
    for piece, order in sorted(orders.items()):
        if isinstance(order, Sweep) and hunts_now(truth.ships[piece]):
            yield SweepDeclared(piece=piece)


def sweeps(
    truth: Truth, initiative: tuple[Side, ...], dice: Dice, *, strict: bool
) -> Iterator[SweepRolled]:
    """Yield the sweeps of the active ships one by one, sides in turn from the winner on.

    A ship rolls only for those that no sweep of its side has found before it.
    """
    if not truth.active:
        return
    by_side = [
        [piece for piece in sorted(truth.active) if _side(truth, piece) == s] for s in initiative
    ]
    found: dict[Side, tuple[PieceId, ...]] = dict.fromkeys(truth.sides, ())
    for piece in map(PieceId, alternating(by_side)):
        scanner = truth.ships[piece]
        left = [
            quarry
            for quarry in quarries(truth, scanner.side)
            if quarry.id not in found[scanner.side]
        ]
        order = sweep_order(truth.board, scanner.place, left, _tie(truth, scanner, dice))
        swept = sweep(order, dice.stream(truth.turn, Purpose.SWEEP, piece), strict)
        new = tuple(map(PieceId, swept.found))
        found[scanner.side] += new
        yield SweepRolled(piece=piece, dice=swept.dice, found=new)


def passive_rolls(
    truth: Truth, orders: DetectOrders, options: MatchOptions, dice: Dice
) -> Iterator[PassiveRolled]:
    """Yield one die for each ship that listens and is not blinded, and what it reveals.

    Where no cloaked ship is hostile to it there is nothing to roll for.
    """
    if not any(ship.cloaked for ship in truth.in_play()):
        return
    prey = {side: quarries(truth, side) for side in truth.sides}
    fastest = loudest(truth)
    mode = PassiveReveals(options.passive_reveals)
    for ship in sorted(truth.in_play(), key=lambda one: one.id):
        order = orders.get(ship.id)
        is_deaf = isinstance(order, Listen) and not order.on
        if is_deaf or not prey[ship.side] or not hunts_now(ship):
            continue
        if not can_listen(truth, ship, options):
            continue
        die = dice.d6(truth.turn, Purpose.PASSIVE, ship.id)
        found = passive_finds(
            truth.board,
            _hunter(ship),
            die,
            prey[ship.side],
            fastest,
            mode,
            _tie(truth, ship, dice),
        )
        yield PassiveRolled(piece=ship.id, die=die, found=tuple(map(PieceId, found)))


def steps(truth: Truth, rolled: Iterable[Event], mode: TrackerMode) -> Iterator[Event]:
    """Yield every hunt's trackers after the rolls of this turn, and the hunts that end."""
    finds = [event for event in rolled if isinstance(event, SweepRolled | PassiveRolled)]
    for side in truth.sides:
        ours = [find for find in finds if _side(truth, find.piece) == side]
        hunts = dict(truth.hunts_of(side))
        for piece in dict.fromkeys(piece for event in ours for piece in event.found):
            hunts.setdefault(truth.ships[piece].quarry, Hunt(piece=piece))
        for quarry, hunt in sorted(hunts.items()):
            ship = truth.ships[hunt.piece]
            is_there = ship.cloaked and ship.in_play and ship.quarry == quarry
            hits = [event for event in ours if is_there and hunt.piece in event.found]
            yield from _stepped(side, quarry, hunt, hits, mode)


def jamming(truth: Truth, dice: Dice) -> Iterator[SpaceJammed]:
    """Yield how long the sweeps of this turn jam space, if there were any."""
    if truth.active:
        rolled = tuple(
            dice.d6(truth.turn, Purpose.JAM, "", index) for index in range(len(truth.active))
        )
        yield SpaceJammed(until=jam_end(truth.jam_end, truth.turn, rolled), dice=rolled)


def endings(truth: Truth, mode: TrackerMode) -> Iterator[Event]:
    """Yield what of the hunt is over with the turn: empty trackers, and a jam."""
    for side in truth.sides:
        for quarry, hunt in sorted(truth.hunts_of(side).items()):
            if is_empty(hunt.trackers, mode):
                yield HuntEnded(side=side, piece=hunt.piece, quarry=quarry)
    if truth.turn == truth.jam_end:
        yield JamEnded(turn=truth.turn)


def quarries(truth: Truth, side: Side) -> tuple[Quarry, ...]:
    """Return every cloaked ship that is hostile to `side`."""
    return tuple(
        [
            Quarry(ship.id, ship.place, ship.thrust_used)
            for ship in truth.ships.values()
            if ship.cloaked and ship.side != side and ship.in_play
        ]
    )


def nova_in_play(truth: Truth, options: MatchOptions) -> bool:
    """Return whether a nova gun's template, or a wave gun where it counts, blinds all sides."""
    is_wave = options.wave_gun_blinds == "yes" and truth.turn <= truth.wave_until
    return truth.nova_in_play or is_wave


def loudest(truth: Truth) -> int:
    """Return the most thrust that any uncloaked starship on the map used this turn.

    Missiles, remote sensors, fighters and decoys do not count: a decoy buys no silence.
    """
    shown = (ship for ship in truth.in_play() if not ship.cloaked and _is_manned(ship))
    return fastest_thrust(ship.thrust_used for ship in shown)


def can_listen(truth: Truth, ship: ShipTruth, options: MatchOptions) -> bool:
    """Return whether no sweep, jam or nova gun keeps the ship from listening."""
    return passive_possible(
        is_cloaked=ship.cloaked,
        is_active=ship.id in truth.active,
        any_active=bool(truth.active),
        is_jammed=is_jammed(truth.jam_end, truth.turn),
        nova_in_play=nova_in_play(truth, options),
        noise=NoiseBlinds(options.noise_blinds),
    )


def _stepped(
    side: Side,
    quarry: PieceId,
    hunt: Hunt,
    hits: list[SweepRolled | PassiveRolled],
    mode: TrackerMode,
) -> Iterator[Event]:
    # A ship listens or sweeps, so each hit is that of another ship.
    swept = any(isinstance(event, SweepRolled) for event in hits)
    detectors = sum(isinstance(event, PassiveRolled) for event in hits)
    trackers = stepped(hunt.trackers, detectors, swept)
    by_window = solution_window(trackers, detectors, swept)
    by_dice = solution_dice(trackers, detectors, swept)
    is_solved = by_window if mode is TrackerMode.WINDOW else by_dice
    yield HuntStepped(
        side=side,
        piece=hunt.piece,
        quarry=quarry,
        trackers=trackers,
        fix=Fix.SOLUTION if is_solved else Fix.DETECTED if hits else None,
        solution_window=by_window,
        solution_dice=by_dice,
    )
    if is_empty(trackers, mode):
        yield HuntEnded(side=side, piece=hunt.piece, quarry=quarry)


def _hunter(ship: ShipTruth) -> Hunter:
    return Hunter(ship.id, ship.place, ship.facing, ship.thrust_used, ship.thrust_spent > 0)


def _tie(truth: Truth, scanner: ShipTruth, dice: Dice) -> Tie:
    return lambda piece: dice.tie(truth.turn, scanner.id, piece)


def _is_awake(ship: ShipTruth) -> bool:
    return ship.in_play and _is_manned(ship) and ship.powered and not ship.cloaked


def _is_manned(ship: ShipTruth) -> bool:
    return ship.type.kind is PieceKind.STARSHIP


def _notices(truth: Truth, watcher: ShipTruth, ship: ShipTruth) -> bool:
    if not _is_awake(watcher):
        return False
    return notices_uncloaking(truth.board, watcher.place, ship.place)


def _side(truth: Truth, piece: PieceId) -> Side:
    return truth.ships[piece].side
