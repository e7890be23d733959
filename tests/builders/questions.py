"""The questions that a seat may ask about its view, and orders that name what it may not know."""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

import msgspec

from builders.randomplayer import random_orders
from sunglare_protocol.ids import Audience, Handle
from sunglare_protocol.messages.commands import Question
from sunglare_protocol.orders import Fire, Order, Probe, Scan
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.scans import ScanSize, ScanType
from sunglare_rules.advice.answer import answer
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.legal.legal import shots
from sunglare_rules.advice.seen.lookup import own_ids, ships_in_play
from sunglare_server.match.state import MatchState

UNKNOWN = Handle("zzzzzz")
"""A handle that nobody was ever given."""


_ORDERED = 0.3
"""How often a sheet is asked for beside orders."""


class Asked(NamedTuple):
    """A question: the fields of `ask` but for the match."""

    kind: Question
    about: Order | str | None = None
    orders: tuple[Order, ...] = ()


def answered(view: View, handles: tuple[Handle, ...], rng: Random) -> list[bytes]:
    """Return the encoded answers to a choice of questions, and the refusals of those handles."""
    found = [msgspec.msgpack.encode(answer(view, *question)) for question in asked(view, rng)]
    found.extend(refusals(view, handles))
    return found


def asked(view: View, rng: Random) -> Iterator[Asked]:
    """Yield questions of every kind, about the viewer's ships, its contacts, a planet and nothing.

    A review is asked of no orders, and of some that the window takes; a sheet beside none or some.
    """
    yield Asked(Question.WHY, "last")
    yield Asked(Question.LOOK)
    yield Asked(Question.LOOK, UNKNOWN)
    yield Asked(Question.REVIEW)
    yield Asked(Question.REVIEW, orders=random_orders(rng, view))
    yield from _sheets(view, rng)
    for contact in view.contacts[-4:]:
        yield Asked(Question.LOOK, contact.handle or contact.label)
        yield Asked(Question.WHY, contact.label)
    for surface in view.surfaces:
        for token in surface.tokens[-3:]:
            yield Asked(Question.LOOK, token.handle or token.label)
            yield Asked(Question.WHY, token.label)
    for planet in view.board.planets[:1]:
        yield Asked(Question.LOOK, planet.name)
    for unit in view.ground[:2]:
        yield Asked(Question.LOOK, unit.id)
        yield Asked(Question.LEGAL, unit.id)
    ships = ships_in_play(view)
    if not ships:
        return
    ship = rng.choice(ships)
    yield Asked(Question.LEGAL, ship.id)
    yield Asked(Question.WHY, ship.id)
    yield Asked(Question.ODDS, ship.id)
    yield Asked(Question.PREVIEW, _scan(rng, ship))
    for shot in list(shots(view))[:2]:
        yield Asked(Question.ODDS, shot)


def _sheets(view: View, rng: Random) -> Iterator[Asked]:
    """Yield the question for the sheet of one own piece, if there is any."""
    pieces = own_ids(view)
    if pieces:
        given = random_orders(rng, view) if rng.random() < _ORDERED else ()
        yield Asked(Question.SHEET, rng.choice(pieces), given)


def _scan(rng: Random, ship: OwnView) -> Scan:
    types = list(ScanType)
    return Scan(ship=ship.id, type=rng.choice(types), size=ScanSize.BOXES, at="C2", sense=True)


def refusals(view: View, handles: tuple[Handle, ...]) -> Iterator[bytes]:
    """Yield the refusals of orders that name handles which the viewer does not hold.

    They are shots, in DETECT requests for data.
    """
    for ship in ships_in_play(view)[:1]:
        if view.stage.phase is Phase.DETECT:
            for handle in handles:
                yield msgspec.msgpack.encode(check(view, (Probe(ship=ship.id, at=handle),)))
            continue
        for weapon in [fitted.id for fitted in ship.weapons if fitted.works][:1]:
            for handle in handles:
                order = Fire(ship=ship.id, weapon=weapon, at=handle)
                yield msgspec.msgpack.encode(check(view, (order,)))
    yield from _refusals_on_ground(view, handles)


def _refusals_on_ground(view: View, handles: tuple[Handle, ...]) -> Iterator[bytes]:
    for unit in [one for one in view.ground if one.weapons][:1]:
        for handle in handles:
            order: Order = Fire(ship=unit.id, weapon=unit.weapons[0].id, at=handle)
            if view.stage.phase is Phase.DETECT:
                order = Probe(ship=unit.id, at=handle)
            yield msgspec.msgpack.encode(check(view, (order,)))


def unheld(state: MatchState, audience: Audience) -> tuple[Handle, ...]:
    """Return handles the audience does not hold: unknown, dead, of others, and piece ids."""
    held = {contact.handle for contact in state.intel[audience].held.values()}
    held |= {token.handle for token in state.intel[audience].tokens.values()}
    dead = (
        Handle(state.dice.token(audience, number))
        for number in range(state.intel[audience].handles)
    )
    foreign = (
        contact.handle
        for other, intel in state.intel.items()
        if other != audience
        for contact in intel.held.values()
    )
    tokens = (
        token.handle
        for other, intel in state.intel.items()
        if other != audience
        for token in intel.tokens.values()
    )
    pieces = (Handle(piece) for piece in list(state.truth.ships)[:3])
    return tuple(
        handle for handle in (UNKNOWN, *dead, *foreign, *tokens, *pieces) if handle not in held
    )
