"""The end of a turn and of a match: sides that are out, points, objectives and the result.

Source: victory of our rule book §8 (OWN throughout).
"""

from collections.abc import Callable, Iterable, Iterator

from sunglare_protocol.ids import Side
from sunglare_protocol.messages.replies import Ending, Result
from sunglare_protocol.words.ladder import Fate, Fix
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_rules.turn.victory import AGENT_POINTS, OBJECTIVES, winner_of
from sunglare_server.match.data.scenario import Objective, ScenarioData
from sunglare_server.match.events.agents import AgentKilled, Delivered
from sunglare_server.match.events.blips import PieceSpotted
from sunglare_server.match.events.capital import FighterOverflew
from sunglare_server.match.events.cloak import HuntStepped
from sunglare_server.match.events.ground import TakenAlong, UnitDestroyed
from sunglare_server.match.events.space import (
    CargoCollected,
    Event,
    PointsScored,
    ShipDestroyed,
    ShipEscaped,
    ShooterExposed,
    SideWentOut,
)
from sunglare_server.match.ids import PieceId
from sunglare_server.match.resolve.aboard import everyone_aboard, taken_along
from sunglare_server.match.resolve.agents_scene import units_at
from sunglare_server.match.resolve.sharing import Engagement, shared
from sunglare_server.match.truth.agents import AgentTruth
from sunglare_server.match.truth.ground import GroundTruth
from sunglare_server.match.truth.truth import ShipTruth, Truth

_SCORED = frozenset(
    {
        ShipDestroyed,
        ShipEscaped,
        CargoCollected,
        ShooterExposed,
        PieceSpotted,
        FighterOverflew,
        HuntStepped,
        UnitDestroyed,
        AgentKilled,
        Delivered,
    }
)
"""The events from which points can follow as they happen; most events are none of them.

Those by which agents are taken along are among them.
"""


def follows(
    truth: Truth, scenario: ScenarioData, event: Event, engagement: Engagement
) -> tuple[Event, ...]:
    """Return the points and fates that follow at once from `event`, not yet in `truth`.

    Those who are taken along with a ship count as it does.
    """
    if type(event) not in _SCORED:
        return ()
    along = tuple(taken_along(truth, event))
    ended = (event, *along)
    points = [score for one in ended for score in scores(truth, scenario, one, engagement)]
    return (*points, *along)


def scores(
    truth: Truth, scenario: ScenarioData, event: Event, engagement: Engagement
) -> Iterable[PointsScored]:
    """Return the points that follow from `event`, which `truth` does not yet hold."""
    match event:
        case ShipDestroyed():
            return _kills(truth, event, engagement)
        case ShipEscaped():
            return _escape(truth, scenario, event)
        case CargoCollected():
            return (_met(truth.ships[event.piece].side, ObjectiveKind.COLLECT),)
        case ShooterExposed(piece=piece, witnesses=witnesses):
            return _identified(truth, scenario, piece, witnesses)
        case (
            PieceSpotted(piece=piece, side=side)
            | FighterOverflew(piece=piece, side=side)
            | HuntStepped(piece=piece, side=side, fix=Fix.SOLUTION)
        ):
            return _identified(truth, scenario, piece, (side,))
        case UnitDestroyed() | TakenAlong():
            return _lost_on_the_ground(truth, event, engagement)
        case AgentKilled() | Delivered():
            return _of_agents(truth, event)
        case _:
            return ()


def sides_gone(truth: Truth) -> Iterator[SideWentOut]:
    """Yield the sides that have nothing in play any more and were not out before."""
    # OWN: remote sensors and prisoners, which take no orders, keep no side in the match.
    in_play = {ship.side for ship in truth.in_play() if not ship.is_remote}
    in_play |= {unit.side for unit in truth.ground.values() if unit.in_play and not unit.is_remote}
    free = (agent for agent in truth.agents.values() if agent.captor is None)
    in_play |= {agent.side for agent in free if agent.in_play}
    for side in truth.sides:
        if side not in truth.out and side not in in_play:
            yield SideWentOut(side=side)


def survivors(truth: Truth, scenario: ScenarioData) -> Iterator[PointsScored]:
    """Yield the points of pieces that had to survive and of environs held, at the end."""
    for side in truth.sides:
        for kind, times_met in _AT_THE_END.items():
            for objective in _objectives(scenario, side, kind):
                for _ in range(times_met(truth, side, objective)):
                    yield _met(side, kind, is_known=False)


def result(truth: Truth, ending: Ending, standing: tuple[Side, ...]) -> Result:
    """Return the result among the sides still `standing`: most points win, equal is a draw."""
    is_open = ending not in (Ending.DRAW, Ending.ADJOURNED, Ending.NO_GAME)
    winner = winner_of(truth.points, standing) if is_open else None
    return Result(winner=winner, ending=ending, points=dict(truth.points))


def _held(truth: Truth, side: Side, objective: Objective) -> int:
    site = objective.at
    if site is None or not units_at(truth, side, site):
        return 0
    return int(not any(units_at(truth, other, site) for other in truth.others(side)))


def _survived(truth: Truth, side: Side, objective: Objective) -> int:
    fates = [ship.fate for ship in truth.ships_of(side) if ship.name == objective.piece]
    fates += [agent.fate for agent in truth.agents_of(side) if agent.name == objective.piece]
    return len(fates) - fates.count(Fate.DESTROYED)


_AT_THE_END: dict[ObjectiveKind, Callable[[Truth, Side, Objective], int]] = {
    ObjectiveKind.HOLD: _held,
    ObjectiveKind.SURVIVE: _survived,
}
"""How often an objective is met at the end; the others are met, or not, as things happen."""


def _of_agents(truth: Truth, event: AgentKilled | Delivered) -> Iterable[PointsScored]:
    if isinstance(event, Delivered):
        return (_met(event.side, ObjectiveKind.DELIVER),)
    # The side that fought it knows that no other did.
    foes = (side for side in event.killers if side != truth.agents[event.piece].side)
    return [
        PointsScored(side=side, points=AGENT_POINTS, why="destroy", is_known=True) for side in foes
    ]


def _kills(truth: Truth, event: ShipDestroyed, engagement: Engagement) -> Iterable[PointsScored]:
    ship = truth.ships[event.piece]
    killers = event.killers, event.unaware
    return _destroyed(truth, ship, ship.type.points, killers, engagement)


def _lost_on_the_ground(
    truth: Truth, event: UnitDestroyed | TakenAlong, engagement: Engagement
) -> Iterable[PointsScored]:
    if isinstance(event, TakenAlong):
        return _kills_aboard(truth, event, engagement)
    unit = truth.ground[event.piece]
    killers = event.killers, event.unaware
    return _destroyed(truth, unit, unit.type.points, killers, engagement)


def _kills_aboard(
    truth: Truth, event: TakenAlong, engagement: Engagement
) -> Iterable[PointsScored]:
    # Those who left with a ship were counted with it; a side that shoots one down does not learn
    # who was aboard.
    piece = truth.ground.get(event.piece) or truth.agents[event.piece]
    if event.fate is Fate.ESCAPED or piece.aboard is None:
        return ()
    ship = truth.ships[piece.aboard]
    return _destroyed(truth, ship, _worth(piece), ((), event.killers), engagement)


def _destroyed(
    truth: Truth,
    piece: ShipTruth | GroundTruth,
    points: int,
    killers: tuple[tuple[Side, ...], tuple[Side, ...]],
    engagement: Engagement,
) -> Iterable[PointsScored]:
    """Return the shares in `points` of the enemies that destroyed a piece.

    The first of the `killers` are aware of it, the others are not. What no enemy destroyed gives
    all its points to each of them.
    """
    aware, unaware = (tuple(s for s in sides if s != piece.side) for sides in killers)
    if not points:
        return ()
    if not (aware or unaware):
        return _given_away(truth, piece.side, points)
    return shared(engagement, piece.id, points, aware, unaware)


def _given_away(truth: Truth, side: Side, points: int) -> Iterator[PointsScored]:
    """Yield the points that all others have for what a side lost to no attack of theirs."""
    # They are not shown before the end: that a ship left, or fell into a planet, others may not
    # know.
    for other in truth.others(side):
        yield PointsScored(side=other, points=points, why="lost", is_known=False)


def _worth(piece: GroundTruth | AgentTruth) -> int:
    return AGENT_POINTS if isinstance(piece, AgentTruth) else piece.type.points


def _escape(truth: Truth, scenario: ScenarioData, event: ShipEscaped) -> Iterator[PointsScored]:
    ship = truth.ships[event.piece]
    wanted = [
        objective
        for objective in _objectives(scenario, ship.side, ObjectiveKind.ESCAPE)
        if objective.edge is event.edge
    ]
    for objective in wanted:
        if ship.type.points:
            yield _met(ship.side, objective.kind, worth=ship.type.points)
    if not wanted and not scenario.sides[ship.side].leaves_free:
        aboard = everyone_aboard(truth, ship.id)
        if points := ship.type.points + sum(map(_worth, aboard)):
            yield from _given_away(truth, ship.side, points)


def _identified(
    truth: Truth, scenario: ScenarioData, piece: PieceId, sides: tuple[Side, ...]
) -> Iterator[PointsScored]:
    ship = truth.ships[piece]
    for side in sides:
        if piece not in truth.identified[side] and _is_wanted(scenario, side, ship):
            yield _met(side, ObjectiveKind.IDENTIFY)


def _met(
    side: Side, kind: ObjectiveKind, *, worth: int = 1, is_known: bool = True
) -> PointsScored:
    """Return the points of an objective, times what the piece concerned is `worth`."""
    points = worth * OBJECTIVES[kind].points
    return PointsScored(side=side, points=points, why=kind.value, is_known=is_known)


def _objectives(scenario: ScenarioData, side: Side, kind: ObjectiveKind) -> tuple[Objective, ...]:
    return tuple(
        objective for objective in scenario.sides[side].objectives if objective.kind is kind
    )


def _is_wanted(scenario: ScenarioData, side: Side, ship: ShipTruth) -> bool:
    wanted = (objective.piece for objective in _objectives(scenario, side, ObjectiveKind.IDENTIFY))
    return ship.side != side and ship.name in wanted
