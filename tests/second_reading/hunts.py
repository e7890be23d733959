"""What cloak hunting lets an audience learn: the second reading of DETECT, for `granted`.

It is worked out from the truth and the rule book, and knows nothing of how the server perceives.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from second_reading.parts import Window, is_public_of_two, motion, place
from sunglare_protocol.ids import Audience, Side, audience_of
from sunglare_protocol.orders import Listen, Sweep
from sunglare_protocol.words.cloak import NoiseBlinds, PassiveReveals, TrackerMode
from sunglare_protocol.words.ladder import Fix
from sunglare_protocol.words.pieces import PieceKind
from sunglare_rules.cloak.cloak import (
    Hunter,
    Quarry,
    fastest_thrust,
    passive_finds,
    passive_possible,
)
from sunglare_rules.cloak.sweeps import is_jammed, ships_found, sweep_order
from sunglare_rules.cloak.trackers import (
    Trackers,
    is_empty,
    solution_dice,
    solution_window,
    stepped,
)
from sunglare_server.match.dice import Purpose
from sunglare_server.match.ids import PieceId, piece_id
from sunglare_server.match.truth.truth import ShipTruth, Truth


def hunt_told(window: Window, audience: Audience) -> Iterator[object]:
    """Yield what the table of cloak hunting §4 tells of sweeps, finds, trackers and jams."""
    truth, active = window.before, _active(window)
    for piece in active:
        yield from _sweep_told(truth, audience, truth.ships[piece])
    swept, heard = sweeps_of(window), passives_of(window)
    own: list[object] = []
    for side in truth.sides:
        for step in hunt_steps(window, side, swept, heard):
            ship = truth.ships[step.piece]
            if audience == audience_of(ship.side):
                own.append((ship.own, step.fix, step.trackers, step.by_window, step.by_dice))
            else:
                yield from _step_told(window, audience, side, step)
    yield sorted(own, key=repr)
    if active and window.options.cloak_variant == "jam":
        dice = [window.dice.d6(truth.turn, Purpose.JAM, "", k) for k in range(len(active))]
        yield "jam", max(truth.jam_end, truth.turn) + sum(dice)


def _sweep_told(truth: Truth, audience: Audience, scanner: ShipTruth) -> Iterator[object]:
    yield "sweep", scanner.square
    for side in truth.others(scanner.side):
        if audience == audience_of(side) or is_public_of_two(truth, audience):
            had = truth.holds[side].get(scanner.id)
            coasted = had is not None and had.fix is Fix.COASTING
            yield scanner.id, motion(scanner) if coasted else None


def _step_told(window: Window, audience: Audience, side: Side, step: "Step") -> Iterator[object]:
    ship = window.before.ships[step.piece]
    if audience == audience_of(side):
        yield step.quarry, step.trackers, step.by_window, step.by_dice
        yield from _found_told(window, ship, step, identity=True)
    elif is_public_of_two(window.before, audience):
        yield from _found_told(window, ship, step, identity=False)


class Step(NamedTuple):
    """A hunt after the rolls of a turn."""

    piece: PieceId
    quarry: PieceId
    fix: Fix | None
    trackers: Trackers
    by_window: bool
    by_dice: bool


def _found_told(
    window: Window, ship: ShipTruth, step: Step, *, identity: bool
) -> Iterator[object]:
    if step.fix is None:
        return
    yield "found", step.quarry, step.fix, ship.square, ship.vector
    if step.fix is Fix.SOLUTION:
        yield ship.facing, ship.echo
        if identity:
            known = [window.before.identified[side] for side in window.before.sides]
            fresh = sum(ship.id in pieces for pieces in known)
            yield ship.side, ship.type.type_shown, fresh if ship.name in window.wanted else None


def hunt_steps(
    window: Window,
    side: Side,
    swept: dict[PieceId, tuple[PieceId, ...]],
    heard: dict[PieceId, tuple[PieceId, ...]],
) -> Iterator[Step]:
    """Yield every hunt of a side as the rolls leave it."""
    truth, mode = window.before, TrackerMode(window.options.tracker_mode)
    ours = {piece for piece, ship in truth.ships.items() if ship.side == side}
    found = {
        piece for by, some in (*swept.items(), *heard.items()) if by in ours for piece in some
    }
    hunts = {quarry: hunt.piece for quarry, hunt in truth.hunts_of(side).items()}
    hunts.update({truth.ships[piece].quarry: piece for piece in found})
    for quarry, piece in sorted(hunts.items()):
        before = truth.hunts_of(side).get(quarry)
        is_there = truth.ships[piece].quarry == quarry and piece in found
        is_swept = is_there and any(piece in swept[by] for by in swept if by in ours)
        ears = sum(is_there and piece in heard[by] for by in heard if by in ours)
        trackers = stepped(Trackers() if before is None else before.trackers, ears, is_swept)
        by_window = solution_window(trackers, ears, is_swept)
        by_dice = solution_dice(trackers, ears, is_swept)
        solved = by_window if mode is TrackerMode.WINDOW else by_dice
        fix = Fix.SOLUTION if solved else Fix.DETECTED if is_swept or ears else None
        kept = Trackers() if is_empty(trackers, mode) else trackers
        yield Step(piece, quarry, fix, kept, by_window, by_dice)


def _active(window: Window) -> list[PieceId]:
    return sorted(
        piece_id(side, order.ship)
        for side, orders in window.orders.items()
        for order in orders
        if isinstance(order, Sweep)
    )


def _hiders(truth: Truth, side: Side) -> list[Quarry]:
    return [
        Quarry(ship.id, place(ship), ship.thrust_used)
        for ship in truth.in_play()
        if ship.cloaked and ship.side != side
    ]


def sweeps_of(window: Window) -> dict[PieceId, tuple[PieceId, ...]]:
    """Return what each sweeping ship finds; only the order within a side matters."""
    truth, found = window.before, dict[PieceId, tuple[PieceId, ...]]()
    strict = window.options.sweep_six == "strict"
    for piece in _active(window):
        scanner = truth.ships[piece]
        done = {
            swept
            for by, some in found.items()
            if truth.ships[by].side == scanner.side
            for swept in some
        }
        left = [hider for hider in _hiders(truth, scanner.side) if hider.id not in done]
        order = sweep_order(truth.board, place(scanner), left, _tie(window, scanner))
        dice = [window.dice.d6(truth.turn, Purpose.SWEEP, piece, k) for k in range(len(order))]
        found[piece] = tuple(map(PieceId, order[: ships_found(dice, strict)]))
    return found


def passives_of(window: Window) -> dict[PieceId, tuple[PieceId, ...]]:
    """Return what each listening ship hears."""
    truth, active = window.before, _active(window)
    deaf = {
        piece_id(side, order.ship)
        for side, orders in window.orders.items()
        for order in orders
        if isinstance(order, Listen) and not order.on
    }
    fastest = fastest_thrust(
        ship.thrust_used
        for ship in truth.in_play()
        if not ship.cloaked and ship.type.kind is PieceKind.STARSHIP
    )
    heard = {}
    for ship in truth.in_play():
        is_fit = ship.powered and ship.landing is None and ship.type.kind is PieceKind.STARSHIP
        possible = passive_possible(
            is_cloaked=ship.cloaked,
            is_active=ship.id in active,
            any_active=bool(active),
            is_jammed=is_jammed(truth.jam_end, truth.turn),
            nova_in_play=truth.nova_in_play,
            noise=NoiseBlinds(window.options.noise_blinds),
        )
        if is_fit and possible and ship.id not in deaf:
            hunter = Hunter(
                ship.id, place(ship), ship.facing, ship.thrust_used, ship.thrust_spent > 0
            )
            found = passive_finds(
                truth.board,
                hunter,
                window.dice.d6(truth.turn, Purpose.PASSIVE, ship.id),
                _hiders(truth, ship.side),
                fastest,
                PassiveReveals(window.options.passive_reveals),
                _tie(window, ship),
            )
            heard[ship.id] = tuple(map(PieceId, found))
    return heard


def _tie(window: Window, scanner: ShipTruth) -> Callable[[str], bytes]:
    return lambda piece: window.dice.tie(window.before.turn, scanner.id, piece)


def hunts_known(truth: Truth, audience: Audience) -> Iterator[object]:
    """Yield what the audience has been told of hunts: its own, and those for its own ships."""
    for side in truth.sides:
        for quarry, hunt in sorted(truth.hunts_of(side).items()):
            ship = truth.ships[hunt.piece]
            place = (ship.square, ship.vector) if hunt.fix is not None else None
            if audience == audience_of(side):
                solved = hunt.fix is Fix.SOLUTION
                more = (ship.facing, ship.echo, ship.type.type_shown) if solved else None
                yield quarry, hunt.fix, hunt.trackers, place, more
            elif audience == audience_of(ship.side):
                yield ship.own, hunt.fix, hunt.trackers
            elif is_public_of_two(truth, audience) and hunt.fix is not None:
                yield quarry, hunt.fix, place
