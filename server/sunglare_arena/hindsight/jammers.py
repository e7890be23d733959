"""Positions of ECM fields in a finished match: the pieces behind a jammed line.

Source: blips of our rule book §3, ECM.
"""

from collections.abc import Iterable, Iterator

from sunglare_protocol.ids import Side
from sunglare_rules.blips.ecm import ANGEL_TIER, Field
from sunglare_rules.turn.metric import Metric, Spot, line_meets_circle
from sunglare_server.match.ids import PieceId
from sunglare_server.match.resolve.ground_scene import Ground
from sunglare_server.match.resolve.ground_scene import field_of as map_field
from sunglare_server.match.resolve.jamming import Fields
from sunglare_server.match.resolve.jamming import field_of as space_field
from sunglare_server.match.truth.truth import Truth

Sources = Iterable[tuple[PieceId, Field]]
"""Pieces with the working fields that they make."""


def in_space(truth: Truth, around: Fields) -> Iterator[tuple[PieceId, Field]]:
    """Yield who makes the fields `around` in space."""
    for ship in truth.in_play():
        for field in space_field(ship):
            if field in around:
                yield ship.id, field


def on_map(ground: Ground) -> Iterator[tuple[PieceId, Field]]:
    """Yield who makes the fields on a surface map."""
    for figure in ground.figures:
        field = map_field(figure)
        if field is not None and field in ground.fields:
            yield figure.piece, field


def jammer_words(sources: Sources, metric: Metric, side: Side, a: Spot, b: Spot) -> str:
    """Return whose hostile fields meet the line from `a` to `b`, the strongest of them alone."""
    met = [
        (
            field.bubble.tier,
            f"{_kind_words(field)} of {piece} ({field.bubble.radius} inches around)",
        )
        for piece, field in sources
        if field.side != side and line_meets_circle(metric, a, b, field.at, field.bubble.radius)
    ]
    most = max((tier for tier, _ in met), default=0)
    return " and ".join(words for tier, words in met if tier == most)


def _kind_words(field: Field) -> str:
    return "the Angel ECM" if field.bubble.tier == ANGEL_TIER else "the ECM"
