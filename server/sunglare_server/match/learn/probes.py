"""Grants on data scans on a surface map.

Source: Alpha Strike, "Concealing Unit Data"; blips of our rule book §4.
"""

from sunglare_protocol.ids import audience_of
from sunglare_protocol.notices.blips import OwnProbed, ProbeSensed, TruthProbed
from sunglare_server.match.events.ground import TokenProbed
from sunglare_server.match.facts.ground import TokenAnswered
from sunglare_server.match.facts.space import Grant, OwnTold
from sunglare_server.match.learn.audiences import owner_of, to_omni
from sunglare_server.match.truth.truth import Truth


def of_token_probe(event: TokenProbed, before: Truth) -> list[Grant]:
    """Return the answer for the asker, and bearings for those who notice a probe at work."""
    side, own = owner_of(before, event.piece)
    owner, target = owner_of(before, event.target)
    answer = TokenAnswered(
        ship=own, target=event.target, outcome=event.outcome, dossier=event.dossier
    )
    notice = TruthProbed(
        side=side,
        ship=own,
        owner=owner,
        target=target,
        outcome=event.outcome,
        by_probe=event.by_probe,
    )
    return [
        Grant(audience_of(side), "asker", answer),
        *_noticed(event, before),
        to_omni(notice),
    ]


def _noticed(event: TokenProbed, before: Truth) -> list[Grant]:
    told = []
    for piece, bearing in event.noticed:
        side, own = owner_of(before, piece)
        if piece == event.target:
            probed = OwnTold(notice=OwnProbed(ship=own, bearing=bearing))
            told.append(Grant(audience_of(side), "owner", probed))
        else:
            sensed = OwnTold(notice=ProbeSensed(ship=own, bearing=bearing))
            told.append(Grant(audience_of(side), "bystander", sensed))
    return told
