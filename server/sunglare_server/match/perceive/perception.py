"""`perceived`: intel of all audiences after a run of events, in an order that tells nothing.

What one audience learns of one run is put in an order made of what it sees of it, never of
what is hidden; full ties are broken by a keyed die.
"""

from collections.abc import Iterable
from itertools import groupby

import msgspec

from sunglare_protocol.ids import Audience
from sunglare_protocol.ladder import Fix
from sunglare_server.match import facts
from sunglare_server.match.dice import Dice
from sunglare_server.match.facts import Fact, Grant
from sunglare_server.match.ids import PieceId
from sunglare_server.match.intel import Intel
from sunglare_server.match.perceive.absorb import absorb

_ORDER: tuple[type[Fact], ...] = (
    facts.Announced,
    facts.Sighted,
    facts.Tracked,
    facts.Followed,
    facts.ScanReported,
    facts.Located,
    facts.Recognised,
    facts.ShotReported,
    facts.Coasted,
    facts.SeenLanding,
    facts.Left,
    facts.SeenDestroyed,
    facts.Lost,
    facts.OwnTold,
    facts.Exposed,
    facts.Scored,
    facts.TruthTold,
    facts.ContactsFaded,
)
"""Kinds of fact in the order they are taken in: what others refer to comes first."""

_RANK = {kind: rank for rank, kind in enumerate(_ORDER)}
_HIDDEN = ("piece", "target", "found", "tracked")
_SHOWN = {
    kind: tuple(name for name in kind.__struct_fields__ if name not in _HIDDEN) for kind in _ORDER
}
_encoder = msgspec.msgpack.Encoder()

_Key = tuple[int, int, bytes]


def perceived(
    intel: dict[Audience, Intel], grants: Iterable[Grant], dice: Dice
) -> dict[Audience, Intel]:
    """Return the intel of every audience after the grants of one run of events."""
    by_audience: dict[Audience, list[Fact]] = {}
    for grant in grants:
        by_audience.setdefault(grant.audience, []).append(grant.fact)
    changed = {
        audience: _learned(intel[audience], learned, dice)
        for audience, learned in by_audience.items()
    }
    return {**intel, **changed}


def _learned(intel: Intel, learned: list[Fact], dice: Dice) -> Intel:
    for fact in learned if len(learned) == 1 else _in_order(intel, learned, dice):
        intel = absorb(intel, fact, dice)
    return intel


def _in_order(intel: Intel, learned: list[Fact], dice: Dice) -> list[Fact]:
    keyed = sorted(((_key(intel, fact), fact) for fact in learned), key=lambda each: each[0])
    ordered: list[Fact] = []
    for _, alike in groupby(keyed, key=lambda each: each[0]):
        tied = [fact for _, fact in alike]
        if len(tied) > 1:
            tied.sort(key=lambda fact: _tie(intel, fact, dice))
        ordered += tied
    return ordered


def _key(intel: Intel, fact: Fact) -> _Key:
    piece = _piece(fact)
    label = 0 if piece is None else _label(intel, fact, piece)
    return (_RANK[type(fact)], label, _visible(fact))


def _tie(intel: Intel, fact: Fact, dice: Dice) -> bytes:
    piece = _piece(fact)
    return b"" if piece is None else dice.tie(intel.turn, intel.audience, piece)


def _piece(fact: Fact) -> PieceId | None:
    return getattr(fact, "piece", None) or getattr(fact, "target", None)


def _label(intel: Intel, fact: Fact, piece: PieceId) -> int:
    held = intel.held.get(piece)
    given_away = isinstance(fact, facts.Located | facts.Recognised)
    # That a ship given away by a shot is the one that coasts here is not known.
    if held is None or (given_away and held.fix is Fix.COASTING):
        return 0
    return int(held.label[1:])


def _visible(fact: Fact) -> bytes:
    return _encoder.encode([getattr(fact, name) for name in _SHOWN[type(fact)]])
