"""One ENGAGE window with capital weapons, from orders that the views allow to what is told."""

from collections.abc import Mapping
from typing import TypeVar

import msgspec

from builders.advice import refused
from builders.data import CLASSES
from builders.ground import SITE, ground_truth, planet
from builders.learned import flow_of, standing_in
from builders.truths import DICE, A, dice_where, only, ship
from sunglare_protocol.geometry import Planet
from sunglare_protocol.ids import PUBLIC, Handle, OwnId, Side, audience_of
from sunglare_protocol.notices import Notice
from sunglare_protocol.orders import Bombard, Order
from sunglare_protocol.refusals import Code
from sunglare_protocol.surface import Cell, Pressure, Site
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Fix, Phase
from sunglare_rules.advice.check.check import check
from sunglare_server.match.data.scenario import ShipClass, Weapon
from sunglare_server.match.dice import Dice, Purpose
from sunglare_server.match.events.capital import PointStruck
from sunglare_server.match.fog import view as fog
from sunglare_server.match.ids import PieceId
from sunglare_server.match.intel.ground import HeldToken
from sunglare_server.match.intel.space import Held, Intel
from sunglare_server.match.own.ground import own_missiles, own_units
from sunglare_server.match.own.ships import own_pieces
from sunglare_server.match.state import MatchState, Staged
from sunglare_server.match.truth.ground import GroundTruth
from sunglare_server.match.truth.truth import Truth
from sunglare_server.match.turn.flow import Flow
from sunglare_server.match.turn.sequence import resolve_window

_replace = msgspec.structs.replace
Kind = TypeVar("Kind")

MONITOR, GUNBOAT = CLASSES["monitor"], CLASSES["gunboat"]
S1, G1 = OwnId("S1"), OwnId("G1")
OPEN = planet(*(["............"] * 6))
CENTRAL, INNER, OUTER, BEYOND = (15, 11), (15, 10), (17, 14), (15, 25)


def gun(name: str, ship: ShipClass = MONITOR) -> Weapon:
    """Return a weapon of a class by its name."""
    return next(weapon for weapon in ship.weapons if weapon.id == name)


def handle(piece: str) -> Handle:
    """Return the handle by which every side of the rig holds a piece."""
    return Handle(piece)


def ready(truth: Truth, dice: Dice = DICE) -> MatchState:
    """Return a match in ENGAGE in which every side holds what the truth says."""
    flow = flow_of(truth, dice=dice)
    intel = dict(flow.state.intel)
    for side in truth.sides:
        intel[audience_of(side)] = _known(truth, side, intel[audience_of(side)])
    public = {piece: held for side in truth.sides for piece, held in _held(truth, side).items()}
    intel[PUBLIC] = _replace(intel[PUBLIC], held=public, labels=len(public))
    return _replace(flow.state, intel=intel, standing=standing_in(truth, Phase.ENGAGE))


def view(truth: Truth, side: Side) -> View:
    """Return what a side sees in ENGAGE."""
    state = ready(truth)
    return fog.view(state.intel[audience_of(side)], state.standing, truth.board)


def engaged(truth: Truth, orders: Mapping[Side, tuple[Order, ...]], dice: Dice = DICE) -> Flow:
    """Return the flow of an ENGAGE window with these orders, all of which must be allowed."""
    state = ready(truth, dice)
    for side, given in orders.items():
        seen = fog.view(state.intel[audience_of(side)], state.standing, truth.board)
        assert check(seen, given) is None, check(seen, given)
    staged = {side: Staged(rev=1, orders=given, locked=True) for side, given in orders.items()}
    flow = Flow(_replace(state, staged=staged))
    resolve_window(flow)
    return flow


def told(flow: Flow, side: str) -> tuple[Notice, ...]:
    """Return what an audience was told in the window."""
    return flow.intel[audience_of(Side(side))].told


def heard(flow: Flow, side: str, kind: type[Kind]) -> list[Kind]:
    """Return the notices of one kind among those."""
    return only(told(flow, side), kind)


def rolling(key: str, least: int, most: int = 12, turn: int = 1) -> Dice:
    """Return dice that show a sum of `least` to `most` for the weapon of that key."""
    return dice_where(lambda dice: least <= sum(dice.two_d6(turn, Purpose.FIRE, key)) <= most)


def _held(truth: Truth, side: Side) -> dict[PieceId, Held]:
    return {
        piece: Held(
            handle=handle(piece),
            label=f"C{number}",
            fix=hold.fix,
            square=truth.ships[piece].square,
            turn=truth.turn,
            vector=truth.ships[piece].vector if hold.fix is Fix.TRACKED else None,
            facing=truth.ships[piece].facing if hold.fix is Fix.TRACKED else None,
            size=truth.ships[piece].echo if hold.fix is Fix.TRACKED else None,
        )
        for number, (piece, hold) in enumerate(truth.holds[side].items(), start=1)
    }


def _known(truth: Truth, side: Side, intel: Intel) -> Intel:
    held, tokens = _held(truth, side), {}
    for number, piece in enumerate(truth.surface.tokens_of(side), start=len(held) + 1):
        place = truth.stands(piece)
        assert place is not None
        tokens[piece] = HeldToken(
            handle=handle(piece), label=f"C{number}", site=place[0], cell=place[1], turn=truth.turn
        )
    return _replace(
        intel,
        own=own_pieces(truth, side),
        ground=own_units(truth, side),
        missiles=own_missiles(truth, side),
        held=held,
        tokens=tokens,
        sites=truth.surface.maps_of(side),
        labels=len(held) + len(tokens),
    )


def with_air(pressure: Pressure) -> Planet:
    """Return the planet with that air over its first map."""
    return with_map(pressure=pressure)


def with_map(**changes: object) -> Planet:
    """Return the planet with another first map."""
    first, far = OPEN.environs
    return _replace(OPEN, environs=(_replace(first, **changes), far))


def above(
    *units: GroundTruth,
    at: tuple[int, int] = CENTRAL,
    kind: ShipClass = MONITOR,
    body: Planet = OPEN,
) -> Truth:
    """Return a truth in which A has a ship above the planet."""
    return ground_truth(*units, ships=(ship(A, 1, at, kind),), body=body)


def call(weapon: str = "C1", cell: tuple[int, int] = (5, 2), site: Site = SITE) -> Bombard:
    """Return the order of A's ship to fire at the middle of a cell."""
    return Bombard(ship=S1, weapon=weapon, at=site, cell=Cell(*cell))


def struck(flow: Flow) -> PointStruck:
    """Return the one strike of a window."""
    (event,) = only(flow.events, PointStruck)
    return event


def refusal(truth: Truth, order: Order) -> Code | None:
    """Return why side A may not give an order, if it may not."""
    return refused(view(truth, A), order)
