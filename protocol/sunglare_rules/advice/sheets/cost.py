"""The reckoned cost of a question, in points, of which a seat has so many.

Source: none of its own, all OWN. It follows from the question and from how much its asker's view
has in it, never from a clock, so that it is the same for all and on every machine. A sheet costs a
point for so many orders as are tried for it, which takes about a tenth of a millisecond.
"""

from typing import Final, assert_never

from sunglare_protocol.geometry import BOX_EDGE
from sunglare_protocol.ids import OwnId
from sunglare_protocol.messages import Question
from sunglare_protocol.orders import Order
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.views.ground import AgentView, GroundView
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.search import Strike
from sunglare_rules.advice.check.bombard import DESIGNATORS
from sunglare_rules.advice.check.launch import launchers
from sunglare_rules.advice.seen.plotting import orders_of
from sunglare_rules.advice.sheets.sheet import piece_named

SINGLE_POINTS: Final = 50
"""OWN: what any question costs but a sheet, and one that is refused."""

SHEET_POINTS: Final = 5
"""OWN: what a sheet costs that has nothing in it."""

_TRIES: Final = 10
"""OWN: how many orders are tried for a point."""

_BOX_SQUARES: Final = BOX_EDGE**2
_SMALL_SCANS: Final = 10 * _BOX_SQUARES
"""So many places of one square and of three by three are in reach of a ship."""

_CELLS: Final = 8
"""So many cells of a surface map are looked at in the time in which an order is tried."""

_EXAMPLES: Final = 20
"""About how many switches, turns and the like a piece has."""

_STEP_TRIES: Final = 3
"""A step of an agent is tried in a scene of its own, and what follows is looked at."""

_STEP_TRIES_BESIDE: Final = 2
"""So many orders more are tried for such a step, and for each of the orders next to it."""


def question_cost(
    view: View, kind: Question, about: Order | str | None, orders: tuple[Order, ...]
) -> int:
    """Return what the answer to a question costs, be it a refusal."""
    own = OwnId(about) if kind is Question.SHEET and isinstance(about, str) else None
    piece = None if own is None else piece_named(view, own)
    if piece is None:
        return SINGLE_POINTS
    once, beside = _tries(view, piece)
    mine = orders_of(piece, orders) if isinstance(piece, OwnView) else orders
    tries = once + beside * (1 + len(mine)) + len(orders)
    return SHEET_POINTS + -(-tries // _TRIES)


def _tries(view: View, piece: OwnView | GroundView | AgentView) -> tuple[int, int]:
    """Return how many orders are tried alone, and how many with those given."""
    match piece:
        case OwnView():
            return _tries_of_ship(view, piece)
        case GroundView():
            return _tries_of_unit(view, piece)
        case AgentView():
            return _tries_of_agent(view)
        case _:
            assert_never(piece)


def _tries_of_ship(view: View, ship: OwnView) -> tuple[int, int]:
    board, held = view.board, len(view.contacts)
    match view.stage.phase:
        case Phase.PLOT:
            # The burns after each of three turns, as many as a triangle has, and the fire at each
            # piece from there.
            ends = (1 + held) * 3 * (ship.thrust + 1) * (ship.thrust + 2) // 2
            places = 2 * (_sites(view) + 8 * len(board.asteroids)) + _BOX_SQUARES * len(view.zone)
            launches = (held + 1) * (1 + 2 * len(launchers(ship)))
            # Each square is looked at, for launchers and for a volley.
            sends = bool(launchers(ship)) or ship.volley is not None
            aims = sends * _BOX_SQUARES * board.columns * board.rows // _CELLS
            return ends + aims, _EXAMPLES + places + launches
        case Phase.SCAN:
            return _SMALL_SCANS + 2 * board.columns * board.rows, _EXAMPLES
        case Phase.DETECT:
            return 0, _EXAMPLES + held + _tokens(view)
        case Phase.ENGAGE:
            return 0, _EXAMPLES + len(ship.weapons) * (2 * held + _sites(view) + _tokens(view))
        case Phase.OVER:
            return 0, 0


def _tries_of_unit(view: View, unit: GroundView) -> tuple[int, int]:
    match view.stage.phase:
        case Phase.PLOT:
            starts = {unit.site: None} | {area.site: None for area in view.areas}
            maps = 2 + len(starts) * (view.stage.turn == 1)
            cells = 0 if unit.site is None else maps * _largest_map(view)
            return cells // _CELLS, _EXAMPLES + 2 * len(view.own)
        case Phase.DETECT:
            return 0, _EXAMPLES + len(view.contacts) + _tokens(view)
        case Phase.ENGAGE:
            arms = len(unit.weapons) + len(unit.specials)
            aims = len(view.contacts) + 4 * _tokens(view) + _sites(view)
            beams = sum(special.value in DESIGNATORS for special in unit.specials)
            searches = len(Strike) * (1 + len(view.agents))
            points = beams * _largest_map(view)
            return _largest_map(view) // _CELLS, _EXAMPLES + arms * aims + searches + points
        case Phase.SCAN | Phase.OVER:
            return 0, 0


def _tries_of_agent(view: View) -> tuple[int, int]:
    mates = len(view.agents)
    if view.stage.phase is not Phase.PLOT:
        return 0, _EXAMPLES + len(Strike) * (1 + mates)
    known = (view.agents, view.ground, view.own, view.items, view.objectives)
    ways = 2 * _sites(view) + _tokens(view) + sum(map(len, known))
    starts = len(view.areas) * (1 + len(view.ground))
    # Each delivery is tried with each other agent, and a planned mission with one more or less.
    groups = mates * (1 + len(view.objectives))
    tried = _EXAMPLES + ways + groups
    return _STEP_TRIES * tried, _STEP_TRIES_BESIDE * tried + starts + 2 * mates


def _sites(view: View) -> int:
    return sum(len(planet.environs) for planet in view.board.planets)


def _tokens(view: View) -> int:
    return sum(len(surface.tokens) for surface in view.surfaces)


def _largest_map(view: View) -> int:
    maps = [place for planet in view.board.planets for place in planet.environs]
    return max([place.columns * place.rows for place in maps], default=0)
