"""`perceived`: intel of all audiences after a run of events, in an order that tells nothing.

What one audience learns of one run is put in an order made of what it sees of it, never of
what is hidden; full ties are broken by a keyed die.
"""

from collections.abc import Iterable

import msgspec

from sunglare_protocol.ids import Audience
from sunglare_protocol.ladder import Fix
from sunglare_server.match import facts
from sunglare_server.match.dice import Dice
from sunglare_server.match.facts import Fact, Grant
from sunglare_server.match.ids import PieceId
from sunglare_server.match.intel import Intel
from sunglare_server.match.perceive.absorb import absorb

_ORDER: tuple[type, ...] = (
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
_encoder = msgspec.msgpack.Encoder()

_Key = tuple[int, int, bytes, bytes]


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
    if len(learned) > 1:
        start = intel
        learned = sorted(learned, key=lambda fact: _key(start, fact, dice))
    for fact in learned:
        intel = absorb(intel, fact, dice)
    return intel


def _key(intel: Intel, fact: Fact, dice: Dice) -> _Key:
    rank = _RANK[type(fact)]
    piece: PieceId | None = getattr(fact, "piece", None) or getattr(fact, "target", None)
    if piece is None:
        return (rank, 0, _visible(fact), b"")
    tie = dice.tie(intel.turn, intel.audience, piece)
    return (rank, _label(intel, fact, piece), _visible(fact), tie)


def _label(intel: Intel, fact: Fact, piece: PieceId) -> int:
    held = intel.held.get(piece)
    given_away = isinstance(fact, facts.Located | facts.Recognised)
    # That a ship given away by a shot is the one that coasts here is not known.
    if held is None or (given_away and held.fix is Fix.COASTING):
        return 0
    return int(held.label[1:])


def _visible(fact: Fact) -> bytes:
    shown = [getattr(fact, name) for name in fact.__struct_fields__ if name not in _HIDDEN]
    return _encoder.encode(shown)
