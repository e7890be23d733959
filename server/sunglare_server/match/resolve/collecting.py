"""Objectives to collect: which ships have come to rest at an asteroid that their side wants.

Source: victory of our rule book §8 (OWN throughout).
"""

from collections.abc import Iterator

from sunglare_protocol.ids import Side
from sunglare_protocol.words.pieces import PieceKind
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_rules.turn.movement import AT_REST
from sunglare_server.match.data.scenario import ScenarioData
from sunglare_server.match.events.space import CargoCollected
from sunglare_server.match.truth.truth import ShipTruth, Truth


def collected(truth: Truth, scenario: ScenarioData) -> Iterator[CargoCollected]:
    """Yield what ships at rest collect, for each side once at an asteroid."""
    resting = [ship for ship in truth.in_play() if _may_collect(ship)]
    for side in truth.sides:
        for body in _wanted(truth, scenario, side):
            at = next(rock.at for rock in truth.board.asteroids if rock.name == body)
            there = (ship for ship in resting if (ship.side, ship.square) == (side, at))
            first = next(there, None)
            if first is not None:
                yield CargoCollected(piece=first.id, body=body)


def _may_collect(ship: ShipTruth) -> bool:
    is_ship = ship.type.kind is PieceKind.STARSHIP
    return is_ship and ship.landing is None and ship.vector == AT_REST


def _wanted(truth: Truth, scenario: ScenarioData, side: Side) -> tuple[str, ...]:
    """Return the asteroids at which a side is to collect and has not yet."""
    goals = scenario.sides[side].objectives
    bodies = (goal.body for goal in goals if goal.kind is ObjectiveKind.COLLECT and goal.body)
    done = truth.collected.get(side, ())
    return tuple(body for body in dict.fromkeys(bodies) if body not in done)
