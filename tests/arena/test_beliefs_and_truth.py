"""The belief map in real matches, beside their truth: no enemy is ever where it cannot be.

SUNGLARE_LONG=1 plays whole matches, more of each scenario.
"""

import os
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from builders.botmatches import seated
from builders.matches import view_of
from builders.played import Rig, rig
from builders.scenarios import scenarios
from sunglare_client.bot import decide, is_asked
from sunglare_client.bots.seeker import Seeker
from sunglare_client.bots.sightings.beliefmap import BeliefMap
from sunglare_client.bots.sightings.trails import movements
from sunglare_protocol.codec import Form, decode_server
from sunglare_protocol.ids import PUBLIC, Audience, Side, audience_of
from sunglare_protocol.messages import Frame
from sunglare_protocol.orders import Order, Scan
from sunglare_protocol.replay.analysis import Basis
from sunglare_protocol.views import View
from sunglare_protocol.words.scans import Echo
from sunglare_rules.advice.odds.whereabouts import Whereabouts
from sunglare_rules.sensors.masks import mask_of, masks_of
from sunglare_server.match.ids import PieceId, hunted_piece, piece_id
from sunglare_server.match.truth.truth import ShipTruth
from sunglare_server.ports.cards import scenario_card

LONG = bool(os.environ.get("SUNGLARE_LONG"))

pytestmark = pytest.mark.timeout(3_600 if LONG else 120)

PLAYED = {
    "shadow-of-ceres": ("scout", "hunter"),
    "picket-line": ("hunter", "scout"),
    "orlog": ("scout", "hunter"),
    "four-corners": ("scout", "hunter", "scout", "scout"),
    "proving-ground": ("scout", "scout"),
    "blip-parade": ("scout", "scout"),
    "reference-board": ("scout", "scout"),
    "redondo": ("scout", "hunter", "scout", "hunter"),
}
"""The bots of a match of each scenario, all of which keep a map."""

TURNS = 99 if LONG else 8
"""A match is left after so many turns, by when ships have met and lost each other."""

SEEDS = range(5, 7) if LONG else range(5, 6)
"""The seeds of the matches that are played of each scenario."""


class Moment(NamedTuple):
    """What a side was shown in a window, its map after that, and the match behind it."""

    match: Rig
    side: Side
    view: View
    map: BeliefMap


class Known(NamedTuple):
    """What a side cannot know: which piece each label was given to, who made each scan."""

    labels: dict[tuple[Side, str], PieceId]
    scanners: dict[str, list[PieceId]]


def moments(name: str, seed: int, *kept: Audience) -> Iterator[tuple[Moment, Known]]:
    """Play a match, and yield each moment in which a side has folded another view.

    What the audiences `kept` are sent is kept.
    """
    match = rig(scenarios()[name], seed, *(kept or (PUBLIC,)))
    players = {
        side: seated(match, name, side, bot, 7 * seed + number)
        for number, (side, bot) in enumerate(zip(match.sides, PLAYED[name], strict=True))
    }
    known = Known({}, {})
    while not match.state.is_over and match.state.standing.turn <= TURNS:
        given: dict[Side, tuple[Order, ...]] = {}
        for side, player in players.items():
            assert isinstance(player, Seeker)
            intel = match.state.intel[audience_of(side)]
            for notice in intel.told:
                player.on_notice(notice)
            known.labels.update(
                {(side, held.label): hunted_piece(key) for key, held in intel.held.items()}
            )
            if match.state.standing.takes_orders_of(side):
                view = view_of(match.state, audience_of(side))
                given[side] = decide(player, view, strict=True)
                yield Moment(match, side, view, player.map), known
        for side, orders in given.items():
            _note_scans(match, side, orders, known)
            match.give(side, orders)
        match.close()


def _note_scans(match: Rig, side: Side, orders: tuple[Order, ...], known: Known) -> None:
    for order in orders:
        if isinstance(order, Scan):
            at = order.at if isinstance(order.at, str) else f"{order.at.x},{order.at.y}"
            turn = match.state.standing.turn
            name = f"{side} {order.type.value} {order.size.value} {at} of turn {turn}"
            known.scanners.setdefault(name, []).append(piece_id(side, order.ship))


def behind(moment: Moment, known: Known, spot: Whereabouts) -> list[ShipTruth]:
    """Return the pieces of which the spot may be: one, or those that scanned alike.

    None of them if one is gone: the spot may be that one's.
    """
    ships = moment.match.state.truth.ships
    if spot.basis is Basis.SCAN:
        names = known.scanners[f"{spot.side} {spot.of}"]
    else:
        names = [piece for key, piece in known.labels.items() if key == (moment.side, spot.of)]
    found = [ships[name] for name in names if name in ships]
    return found if all(ship.in_play for ship in found) else []


@pytest.mark.parametrize("name", PLAYED)
def test_no_enemy_is_where_the_map_of_a_side_says_that_it_cannot_be(name: str) -> None:
    told = Counter[str](dict.fromkeys(("unseen", *(basis.value for basis in Basis)), 0))
    for moment, known in (pair for seed in SEEDS for pair in moments(name, seed)):
        board, window = moment.view.board, moment.view.stage.window
        is_narrowed = moment.map.possible != masks_of(board).space
        held = {contact.square for contact in moment.view.contacts if contact.handle is not None}
        for ship in moment.match.state.truth.in_play():
            if ship.side != moment.side and ship.echo is not Echo.MISSILE:
                assert moment.map.may_hold(ship.square), (window, ship.id)
                told["unseen"] += is_narrowed and ship.square not in held
        for spot in moment.map.suspects():
            pieces = behind(moment, known, spot)
            true = [piece for piece in pieces if spot.mask & mask_of(board, (piece.square,))]
            assert true or not pieces, (window, spot.of)
            told[spot.basis.value] += bool(true)
    assert min(told.values()) > 0, told


def test_within_a_turn_the_map_grows_by_what_is_held_alone() -> None:
    before: dict[Side, tuple[int, int]] = {}
    shrunk = 0
    for moment, _ in moments("four-corners", SEEDS[0]):
        moved, possible = movements(moment.view), moment.map.possible
        held = mask_of(moment.view.board, [spot.square for spot in moment.view.contacts])
        last, old = before.get(moment.side, (moved, possible))
        if moved == last:
            assert possible & ~old & ~held == 0, moment.view.stage.window
            shrunk += possible & old != old
        before[moment.side] = moved, possible
    assert shrunk


def test_the_map_follows_from_the_bytes_that_a_seat_is_sent() -> None:
    again: dict[Side, BeliefMap] = {}
    read: Counter[Side] = Counter()
    compared = 0
    for moment, _ in moments("shadow-of-ceres", SEEDS[0], *map(Audience, "AB")):
        side, sent = moment.side, moment.match.sent[audience_of(moment.side)]
        card = scenario_card(scenarios()["shadow-of-ceres"], moment.match.state.options)
        map_of = again.setdefault(side, BeliefMap.of(side, card))
        for message in sent[read[side] :]:
            frame = decode_server(message, Form.PACKED)
            if isinstance(frame, Frame) and isinstance(frame.view, View):
                for notice in frame.notices:
                    map_of.heard(notice)
                if is_asked(frame.view, side):
                    map_of.see(frame.view)
        read[side] = len(sent)
        assert map_of.possible == moment.map.possible
        assert map_of.suspects() == moment.map.suspects()
        compared += 1
    assert compared
