"""Truths, facts and events that the tests of perception share."""

from builders.learned import (
    LANDED,
    contact,
    flow_of,
    granted,
    intel_of,
    missed,
    moved,
    run,
    tracked,
)
from builders.truths import A1, BOARD, A, B, C, D, holding, only, ship, truth_of
from sunglare_protocol.geometry import Compass, Square
from sunglare_protocol.ids import OMNI, PUBLIC, OwnId, Side
from sunglare_protocol.notices import Notice
from sunglare_protocol.words.ladder import Fix
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.events.space import (
    Event,
    InitiativeRolled,
    ShipEscaped,
    ShipLanded,
    TurnEnded,
)
from sunglare_server.match.facts.space import Announced, Fact, OwnTold, TruthTold
from sunglare_server.match.ids import PieceId
from sunglare_server.match.truth.truth import Truth
from sunglare_server.match.turn.flow import Flow

S1 = OwnId("S1")
HERE = Square(10, 10)

TWO = truth_of(ship(A), ship(B, at=(12, 10)), board=BOARD)
FOUR = truth_of(
    ship(A), ship(B, at=(12, 10)), ship(C, at=(30, 10)), ship(D, at=(5, 30)), board=BOARD
)

Told = dict[str, list[Fact]]


def told(truth: Truth, event: Event, options: MatchOptions | None = None) -> Told:
    """Return what each audience but `omni` learns of an event to `truth`."""
    found: Told = {}
    for grant in granted(truth, event, options):
        if grant.audience != OMNI:
            found.setdefault(grant.audience, []).append(grant.fact)
    return found


def own(notice: Notice) -> OwnTold:
    """Return the fact that tells an owner this notice of its own."""
    return OwnTold(notice=notice)


def omni(truth: Truth, event: Event) -> list[Notice]:
    """Return what the truth feed is told of an event to `truth`."""
    facts = [grant.fact for grant in granted(truth, event) if grant.audience == OMNI]
    return [fact.notice for fact in only(facts, TruthTold)]


def everybody(fact: Fact, sides: str) -> Told:
    return {audience: [fact] for audience in (*sides, PUBLIC)}


def to_all(notice: Announced, sides: str) -> Told:
    return everybody(notice, sides)


def held(fix: Fix, by: Side = B, truth: Truth = TWO) -> Truth:
    return holding(truth, by, A1, fix)


LANDING = ShipLanded(piece=A1, landing=LANDED, square=Square(15, 11), thrust_spent=1)

ESCAPE = ShipEscaped(piece=A1, edge=Compass.E)


def gained(truth: Truth = TWO) -> Flow:
    """Return a flow in which B has contacted and tracked A's ship in turn 1."""
    return flow_of(truth, contact(A1, B), tracked(A1, B))


def end_turn(flow: Flow, turn: int) -> None:
    drawn = InitiativeRolled(turn=turn + 1, order=(A, B), totals={A: 9, B: 4})
    run(flow, TurnEnded(turn=turn), drawn)


def handle_of(flow: Flow, side: str, piece: PieceId = A1) -> str:
    return intel_of(flow, side).held[piece].handle


def coasting() -> Flow:
    """Return a flow at the end of turn 2, in which B has missed A's ship once."""
    flow = gained()
    end_turn(flow, 1)
    run(flow, moved(A1), missed(A1, B))
    end_turn(flow, 2)
    return flow
