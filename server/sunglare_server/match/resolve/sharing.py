"""Shares the points of a destroyed piece among the sides that damaged it.

Source: victory of our rule book §8 (OWN throughout).
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, final

from sunglare_protocol.ids import Side
from sunglare_rules.fire.special_weapons import leech_damage
from sunglare_rules.turn.victory import shares
from sunglare_server.match.events.capital import BatteryFired, PointStruck
from sunglare_server.match.events.ground import GroundShotFired
from sunglare_server.match.events.space import Event, LeechDrained, PointsScored, ShotFired
from sunglare_server.match.ids import PieceId
from sunglare_server.match.truth.truth import Truth

SURELY_ALONE = 2
"""In a match of so many sides no other can have damaged what a side destroyed."""


@final
class Engagement(NamedTuple):
    """What decides on shares: the turn's initiative, and what happened since `before`.

    `before` is the truth when the open window closed, with the leeches that then drain.
    """

    initiative: tuple[Side, ...]
    before: Truth
    happened: Sequence[Event]


def shared(
    engagement: Engagement,
    piece: PieceId,
    points: int,
    aware: tuple[Side, ...],
    unaware: tuple[Side, ...] = (),
) -> Iterator[PointsScored]:
    """Yield the shares in the points of a piece of those who destroyed it, its owner left out.

    The `unaware` among them do not learn theirs. With more than two sides no side learns its share
    before the end, for it follows from what others did; a side that is aware receives "up to".
    """
    before = engagement.before
    enemies = sorted((*aware, *unaware), key=engagement.initiative.index)
    boxes = {side: _boxes(engagement, piece, side) for side in enemies}
    at_most = None if len(before.sides) <= SURELY_ALONE else points
    for side, share in shares(points, boxes).items():
        yield PointsScored(
            side=side, points=share, why="destroy", is_known=side in aware, at_most=at_most
        )


def _boxes(engagement: Engagement, piece: PieceId, side: Side) -> int:
    """Return how many damage boxes the attacks of a side have done to a piece in the window."""
    return sum(_done(engagement.before, event, piece, side) for event in engagement.happened)


def _done(before: Truth, event: Event, piece: PieceId, side: Side) -> int:
    match event:
        case ShotFired() | BatteryFired() | GroundShotFired():
            is_theirs = event.target == piece and before.side_of(event.piece) == side
            return event.damage if is_theirs else 0
        case PointStruck(harmed=harmed):
            hurt = (victim.damage for victim in harmed if victim.piece == piece)
            return sum(hurt) if event.side == side else 0
        case LeechDrained() if event.piece == piece:
            leeches = before.ships[piece].leeches
            return leech_damage(sum(leech.side == side for leech in leeches))
        case _:
            return 0
