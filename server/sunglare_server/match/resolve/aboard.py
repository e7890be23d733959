"""Outcomes for units and agents aboard a ship that is destroyed or leaves the map.

Source: movement and fire of our rule book, turn §5 and §6: a ship is lost with everyone aboard.
"""

from collections.abc import Iterable, Iterator

from sunglare_protocol.ids import Side
from sunglare_protocol.words.ladder import Fate
from sunglare_server.match.events.ground import TakenAlong
from sunglare_server.match.events.space import Event, ShipDestroyed, ShipEscaped
from sunglare_server.match.ids import PieceId
from sunglare_server.match.truth.agents import AgentTruth
from sunglare_server.match.truth.ground import GroundTruth
from sunglare_server.match.truth.truth import Truth


def taken_along(truth: Truth, event: Event) -> Iterable[TakenAlong]:
    """Return the fates that follow from that of a ship, which `truth` does not yet hold."""
    if not (truth.ground or truth.agents):
        return ()
    match event:
        case ShipDestroyed(piece=ship, killers=killers, unaware=unaware):
            return _taken(truth, ship, Fate.DESTROYED, (*killers, *unaware))
        case ShipEscaped(piece=ship):
            return _taken(truth, ship, Fate.ESCAPED, ())
        case _:
            return ()


def everyone_aboard(truth: Truth, ship: PieceId) -> Iterator[GroundTruth | AgentTruth]:
    """Yield the units and agents in play that are aboard a ship, those of other sides too."""
    everyone: tuple[GroundTruth | AgentTruth, ...] = (
        *truth.ground.values(),
        *truth.agents.values(),
    )
    yield from (piece for piece in everyone if piece.aboard == ship and piece.in_play)


def _taken(
    truth: Truth, ship: PieceId, fate: Fate, killers: tuple[Side, ...]
) -> Iterator[TakenAlong]:
    for piece in everyone_aboard(truth, ship):
        yield TakenAlong(piece=piece.id, fate=fate, killers=killers)
