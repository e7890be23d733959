"""The losses that end a match: which pieces that had to survive are lost, how long, and the end.

Source: victory of our rule book §8 (OWN throughout).
"""

from collections.abc import Iterator

from sunglare_protocol.ids import Side
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_server.match.data.scenario import Objective, ScenarioData
from sunglare_server.match.events.space import LossCounted
from sunglare_server.match.truth.truth import Truth


def losses(
    truth: Truth, scenario: ScenarioData, playing: tuple[Side, ...]
) -> Iterator[LossCounted]:
    """Yield the destroyed pieces whose loss ends the match, so long as the match is not over.

    What a side loses that is not `playing` any more is not counted, but what it lost before is.
    """
    for side in truth.sides:
        for objective in _decisive(scenario, side):
            name = objective.piece or ""
            since = _turns_since(truth, side, name)
            if since or (side in playing and _is_destroyed(truth, side, name)):
                yield LossCounted(
                    side=side, piece=name, turns=1 + since, ends_after=objective.ends_after
                )


def is_decided(truth: Truth, scenario: ScenarioData) -> bool:
    """Return whether a side lost such a piece so many turns ago."""
    return any(
        objective.ends_after <= _turns_since(truth, side, objective.piece or "")
        for side in truth.sides
        for objective in _decisive(scenario, side)
    )


def _decisive(scenario: ScenarioData, side: Side) -> Iterator[Objective]:
    for objective in scenario.sides[side].objectives:
        if objective.kind is ObjectiveKind.SURVIVE and objective.ends_after:
            yield objective


def _is_destroyed(truth: Truth, side: Side, name: str) -> bool:
    ships = (ship.fate for ship in truth.ships_of(side) if ship.name == name)
    agents = (agent.fate for agent in truth.agents_of(side) if agent.name == name)
    return Fate.DESTROYED in (*ships, *agents)


def _turns_since(truth: Truth, side: Side, name: str) -> int:
    """Return how many turns have ended since a piece was lost, the one of its loss among them."""
    since = (loss.turns for loss in truth.losses or () if (loss.side, loss.piece) == (side, name))
    return next(since, 0)
