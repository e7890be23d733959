"""`perceived`: intel of all audiences after a run of events, in an order that reveals nothing.

Theory of operation. Two events may be resolved in one order because of something hidden: the
number of a piece, the place of a side in a list, the way in which a set was made. If the order of
what is learned followed it, then labels, handles and notices would reveal it. So what one audience
learns of one run is sorted before it is absorbed, by nothing that it does not see:

1. by kind of fact, in the fixed order below;
2. facts about foreign pieces by the label that the piece has for this audience, and among those
   without one by what it learns of them;
3. notices by their cause (a scan stands before what radar gave away by it), then by the own piece
   or side that they name, so that S2 comes before S10;
4. all others by what they show.

What is still alike is alike to the reader too, except that each becomes a piece of its own: there
a die decides, keyed by audience and piece, which is as good as chance to all audiences and the
same in every fold.

Only here is intel written. What a fact does to it stands in the modules of this folder, by system;
new handles come from one mint (`handles`), at random for each viewer.
"""

from collections.abc import Callable, Iterable
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any, cast

import msgspec

from sunglare_protocol.ids import Audience
from sunglare_protocol.notices import Notice
from sunglare_protocol.words.ladder import Fix
from sunglare_server.match.absorb.causes import NOTICE_RANK
from sunglare_server.match.absorb.space import absorb, noticed
from sunglare_server.match.dice import Dice
from sunglare_server.match.facts import space as facts
from sunglare_server.match.facts.agents import AGENTS_ORDER
from sunglare_server.match.facts.capital import BlastReported, Overflown
from sunglare_server.match.facts.ground import GROUND_ORDER, GroundFact
from sunglare_server.match.facts.space import Fact, Grant
from sunglare_server.match.ids import PieceId
from sunglare_server.match.intel.space import Intel

_ORDER: tuple[type[Fact], ...] = (
    facts.Announced,
    facts.Sighted,
    Overflown,
    facts.Tracked,
    facts.Followed,
    facts.Found,
    facts.Counted,
    facts.ScanReported,
    facts.Located,
    facts.Recognised,
    facts.Identified,
    facts.Answered,
    facts.ShotReported,
    facts.Coasted,
    facts.SeenLanding,
    facts.Left,
    facts.SeenDestroyed,
    facts.Lost,
    facts.Vanished,
    facts.TrailLost,
    facts.OwnTold,
    facts.OwnCounted,
    facts.OwnTrailLost,
    facts.Exposed,
    facts.Scored,
    facts.TruthTold,
    facts.ContactsFaded,
    BlastReported,
    *GROUND_ORDER,
    *AGENTS_ORDER,
)
"""Kinds of fact in the order they are taken in: what others refer to comes first."""

_RANK = {kind: rank for rank, kind in enumerate(_ORDER)}
_HIDDEN = ("piece", "target", "found", "tracked", "harmed")


def _nothing(_: Fact) -> bytes:
    return b""


_SHOWN: dict[type[Fact], Callable[[Fact], Any]] = {
    kind: attrgetter(*names) if names else _nothing
    for kind in _ORDER
    for names in [[name for name in kind.__struct_fields__ if name not in _HIDDEN]]
}
"""How to read what a fact of a kind shows."""
_PIECE: dict[type[Fact], Callable[[Fact], PieceId]] = {
    kind: attrgetter(name)
    for kind in _ORDER
    for name in kind.__struct_fields__
    if name in ("piece", "target")
}
"""How to read the piece that a fact is about, for the kinds that are about one."""

_notice_of: Callable[[Fact], Notice] = attrgetter("notice")
_NOTICED = (facts.Announced, facts.OwnTold, facts.TruthTold)
"""The kinds of fact that are a notice and no more: they come in the order of cause."""

_encoder = msgspec.msgpack.Encoder()


def perceived(
    intel: dict[Audience, Intel], grants: Iterable[Grant], dice: Dice
) -> dict[Audience, Intel]:
    """Return the intel of every audience after the grants of one run of events."""
    by_audience: dict[Audience, list[Fact]] = {}
    for grant in grants:
        by_audience.setdefault(grant.audience, []).append(grant.fact)
    after = dict(intel)
    for audience, learned in by_audience.items():
        after[audience] = _learned(after[audience], learned, dice)
    return after


def _learned(intel: Intel, learned: list[Fact], dice: Dice) -> Intel:
    if len(learned) == 1:
        return absorb(intel, learned[0], dice)
    by_kind: dict[type[Fact], list[Fact]] = {}
    for fact in learned:
        by_kind.setdefault(type(fact), []).append(fact)
    # All orders come first: by labels as they were before the run.
    kinds = sorted(by_kind, key=_RANK.__getitem__)
    ordered = [(kind, _in_order(intel, kind, by_kind[kind], dice)) for kind in kinds]
    for kind, of_a_kind in ordered:
        if kind in _NOTICED:
            intel = noticed(intel, cast("list[facts.Announced]", of_a_kind))
        else:
            for fact in of_a_kind:
                intel = absorb(intel, fact, dice)
    return intel


def _in_order(intel: Intel, kind: type[Fact], of_a_kind: list[Fact], dice: Dice) -> list[Fact]:
    if len(of_a_kind) == 1:
        return of_a_kind
    if kind in _PIECE:
        return _of_pieces_in_order(intel, of_a_kind, dice)
    if kind in _NOTICED:
        return _sorted(of_a_kind, _cause, _by_what_is_shown)
    return _by_what_is_shown(of_a_kind)


def _sorted(
    of_a_kind: list[Fact], key: Callable[[Fact], Any], rest: Callable[[list[Fact]], list[Fact]]
) -> list[Fact]:
    """Return facts in the order of `key`, and in that of `rest` where they are alike in it."""
    keyed = sorted([(key(fact), place) for place, fact in enumerate(of_a_kind)])
    ordered: list[Fact] = []
    for _, alike in groupby(keyed, key=itemgetter(0)):
        tied = [of_a_kind[place] for _, place in alike]
        ordered += tied if len(tied) == 1 else rest(tied)
    return ordered


def _by_what_is_shown(of_a_kind: list[Fact]) -> list[Fact]:
    return sorted(of_a_kind, key=_visible)


def _of_pieces_in_order(intel: Intel, of_a_kind: list[Fact], dice: Dice) -> list[Fact]:
    def by_a_die(alike: list[Fact]) -> list[Fact]:
        return sorted(alike, key=lambda fact: dice.tie(intel.turn, intel.audience, _piece(fact)))

    def by_what_is_shown(alike: list[Fact]) -> list[Fact]:
        return _sorted(alike, _visible, by_a_die)

    return _sorted(of_a_kind, lambda fact: _label(intel, fact), by_what_is_shown)


def _piece(fact: Fact) -> PieceId:
    return _PIECE[type(fact)](fact)


def _label(intel: Intel, fact: Fact) -> int:
    if isinstance(fact, GroundFact):
        token = intel.tokens.get(_piece(fact))
        return 0 if token is None else int(token.label[1:])
    held = intel.held.get(_piece(fact))
    given_away = isinstance(fact, facts.Located | facts.Recognised)
    # That a ship given away by a shot is the one that coasts or is remembered is not known.
    if held is None or (given_away and held.fix in (Fix.COASTING, Fix.MEMORY)):
        return 0
    return int(held.label[1:])


def _cause(fact: Fact) -> tuple[int, int, str]:
    """Return the place of a notice: by its cause, then by the own piece or side it names.

    Which that is stands first in every notice; S2 comes before S10.
    """
    notice = _notice_of(fact)
    fields = type(notice).__struct_fields__
    first = getattr(notice, fields[0]) if fields else None
    name = first if isinstance(first, str) else ""
    return NOTICE_RANK[type(notice)], len(name), name


def _visible(fact: Fact) -> bytes:
    return _encoder.encode(_SHOWN[type(fact)](fact))
