"""Launches of PLOT and the movement of volleys, which comes after that of the ships.

Source: Full Thrust salvo missiles and fighters; fire of our rule book §6, turn sequence §4
step 2.
"""

from collections.abc import Iterator
from typing import assert_never

from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Aim, Launch
from sunglare_protocol.words.armament import Launchable
from sunglare_protocol.words.pieces import PieceKind
from sunglare_rules.fire.missiles import heading, next_aim, volley_end
from sunglare_rules.turn.movement import MoveEnding, edge_crossed, ending
from sunglare_server.match.dice import Dice, Purpose
from sunglare_server.match.events.space import (
    Event,
    FighterLaunched,
    ShipDestroyed,
    ShipEscaped,
    VolleyLaunched,
    VolleyMoved,
)
from sunglare_server.match.ids import PieceId, piece_id
from sunglare_server.match.resolve.movement import Plots, order_of
from sunglare_server.match.truth.truth import ShipTruth, Truth, Volley

LETTERS = {PieceKind.MISSILE: "M", PieceKind.FIGHTER: "F"}
"""The letter of the name that its owner gives a launched piece; a number follows."""


def launches(truth: Truth, plots: Plots, dice: Dice) -> Iterator[VolleyLaunched | FighterLaunched]:
    """Yield the volleys and flights launched; `truth` is that after the ships have moved.

    OWN: a ship that its plot took off the map, into a body or to the ground launches nothing;
    fighters stand next to their ship, with its vector and facing.
    """
    taken: list[PieceId] = []
    plotted = [ship for ship in truth.in_play() if ship.id in plots]
    for ship in sorted(plotted, key=lambda one: one.id):
        given = [order for order in plots[ship.id] if isinstance(order, Launch)]
        for order in sorted(given, key=lambda one: (one.what.value, one.weapon)):
            event = None if ship.landing is not None else _launch(truth, ship, order, taken, dice)
            if event is not None:
                taken.append(event.piece)
                yield event


def volley_moves(truth: Truth, plots: Plots) -> Iterator[Event]:
    """Yield where every volley ends up; those just launched are among them."""
    for ship in truth.in_play():
        if ship.volley is not None:
            order = order_of(plots, ship, Aim)
            yield _volley_move(truth, ship, ship.volley, None if order is None else order.at)


def _launch(
    truth: Truth, ship: ShipTruth, order: Launch, taken: list[PieceId], dice: Dice
) -> VolleyLaunched | FighterLaunched | None:
    match order.what:
        case Launchable.MISSILES:
            return _volley(truth, ship, order, taken, dice)
        case Launchable.FIGHTER:
            return _flight(truth, ship, taken)
        case Launchable.REMOTE:
            return None  # `remotes` launches these.
        case _:
            assert_never(order.what)


def _flight(truth: Truth, ship: ShipTruth, taken: list[PieceId]) -> FighterLaunched:
    own = _next_name(truth, ship, PieceKind.FIGHTER, taken)
    return FighterLaunched(
        piece=piece_id(ship.side, own),
        own=own,
        launcher=ship.id,
        square=ship.square,
        vector=ship.vector,
        facing=ship.facing,
    )


def _volley(
    truth: Truth, ship: ShipTruth, order: Launch, taken: list[PieceId], dice: Dice
) -> VolleyLaunched:
    if order.at is None:
        raise ValueError(f"{ship.id} launches a volley to no square")
    own = _next_name(truth, ship, PieceKind.MISSILE, taken)
    return VolleyLaunched(
        piece=piece_id(ship.side, own),
        own=own,
        launcher=ship.id,
        weapon=order.weapon,
        missiles=dice.d6(truth.turn, Purpose.LAUNCH, f"{ship.id}/{order.weapon}"),
        square=ship.square,
        vector=ship.vector,
        facing=ship.facing,
        aim=order.at,
        cold=order.cold,
    )


def _next_name(truth: Truth, ship: ShipTruth, kind: PieceKind, taken: list[PieceId]) -> OwnId:
    """Return the owner's name for one more piece of that kind; it follows from its own alone."""
    number = 1
    while True:
        own = OwnId(f"{LETTERS[kind]}{number}")
        piece = piece_id(ship.side, own)
        if piece not in truth.ships and piece not in taken:
            return own
        number += 1


def _volley_move(truth: Truth, ship: ShipTruth, volley: Volley, new: Square | None) -> Event:
    aim = next_aim(ship.square, volley.aim, new)
    drifts = volley.cold and volley.movements == 0
    end = volley_end(ship.square, aim, ship.vector if drifts else None)
    match ending(truth.board, end):
        case MoveEnding.FLIES:
            way = ship.square.to(end)
            return VolleyMoved(
                piece=ship.id,
                square=end,
                vector=way,
                facing=heading(way, ship.facing),
                aim=volley.aim if drifts else aim,
            )
        case MoveEnding.CRASHES:
            return ShipDestroyed(piece=ship.id, cause="crash", killers=())
        case MoveEnding.ESCAPES:
            return ShipEscaped(piece=ship.id, edge=edge_crossed(truth.board, end))
