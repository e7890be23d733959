"""Grants on spotting and data scans.

Source: Alpha Strike, "Blip Counters" and "Concealing Unit Data"; blips of our rule book §4. That
a piece is identified its owner never hears, nor by what; a probe at work is noticed.
"""

from sunglare_protocol.ids import audience_of
from sunglare_protocol.notices.blips import (
    OwnProbed,
    ProbeSensed,
    TruthIdentified,
    TruthProbed,
)
from sunglare_rules.blips.in_space import bearing_bucket
from sunglare_server.match.events.blips import (
    PieceProbed,
    PieceSpotted,
)
from sunglare_server.match.facts.space import Answered, Grant, Identified, OwnTold
from sunglare_server.match.learn.audiences import to_omni, to_owner
from sunglare_server.match.truth.truth import Truth


def of_spotting(event: PieceSpotted, before: Truth) -> list[Grant]:
    """Return side and type of an identified piece for its holder, and the ways for the truth."""
    ship = before.ships[event.piece]
    fact = Identified(piece=ship.id, side=ship.side, type=ship.type.type_shown)
    notice = TruthIdentified(
        side=event.side,
        owner=ship.side,
        piece=ship.own,
        methods=tuple([method.value for method in event.methods]),
    )
    return [Grant(audience_of(event.side), "holder", fact), to_omni(notice)]


def of_probe(event: PieceProbed, before: Truth) -> list[Grant]:
    """Return the answer for the asker, and bearings for those who notice a probe at work."""
    asker, target = before.ships[event.piece], before.ships[event.target]
    answer = Answered(
        ship=asker.own, target=target.id, outcome=event.outcome, dossier=event.dossier
    )
    notice = TruthProbed(
        side=asker.side,
        ship=asker.own,
        owner=target.side,
        target=target.own,
        outcome=event.outcome,
        by_probe=event.by_probe,
    )
    return [
        Grant(audience_of(asker.side), "asker", answer),
        *(_noticed(event, before) if event.by_probe else ()),
        to_omni(notice),
    ]


def _noticed(event: PieceProbed, before: Truth) -> list[Grant]:
    source, target = before.ships[event.piece].square, before.ships[event.target]
    bearing = bearing_bucket(target.square, source)
    told = [to_owner(target, OwnProbed(ship=target.own, bearing=bearing))]
    for piece in event.noticed:
        other = before.ships[piece]
        sensed = ProbeSensed(ship=other.own, bearing=bearing_bucket(other.square, source))
        told.append(Grant(audience_of(other.side), "bystander", OwnTold(notice=sensed)))
    return told
