"""`absorb`: the one writer of intel; a fact becomes holds, memories and notices.

Source: ladder of knowledge of our rule book §3; sensors §5, "Tracked" and "Contact".
"""

from collections.abc import Sequence
from typing import assert_never

import msgspec

from sunglare_protocol import notices
from sunglare_protocol.geometry import Landing
from sunglare_protocol.ids import PUBLIC, Handle
from sunglare_protocol.words.ladder import Fate, Fix
from sunglare_server.match.absorb.agents import absorb_agents
from sunglare_server.match.absorb.capital import absorb_capital
from sunglare_server.match.absorb.cloak import besets_faded, faded, found, hunted
from sunglare_server.match.absorb.ground import absorb_ground
from sunglare_server.match.absorb.handles import met, mint_label
from sunglare_server.match.dice import Dice
from sunglare_server.match.facts.agents import AgentFact
from sunglare_server.match.facts.capital import CapitalFact
from sunglare_server.match.facts.space import (
    Announced,
    Answered,
    Coasted,
    ContactsFaded,
    Counted,
    Exposed,
    Fact,
    Followed,
    Found,
    Identified,
    Left,
    Located,
    Lost,
    OwnCounted,
    OwnTold,
    OwnTrailLost,
    Recognised,
    ScanReported,
    Scored,
    SeenDestroyed,
    SeenLanding,
    ShotReported,
    Sighted,
    Tracked,
    TrailLost,
    TruthTold,
    Vanished,
)
from sunglare_server.match.ids import PieceId
from sunglare_server.match.intel.space import Held, Intel, Marker

MARKERS_KEPT = 24
"""OWN: how many memory markers an audience keeps, the newest."""

_replace = msgspec.structs.replace


def absorb(intel: Intel, fact: Fact, dice: Dice) -> Intel:  # noqa: C901 - an arm for every fact
    """Return `intel` after its audience has learned `fact`."""
    # The most frequent ones stand first.
    match fact:
        case Announced() | OwnTold() | TruthTold():
            return noticed(intel, [fact])
        case Sighted():
            return _sighted(intel, fact, dice)
        case Exposed():
            return _exposed(intel, fact)
        case Tracked() | Followed():
            return _tracked(intel, fact)
        case ScanReported() | ShotReported():
            return _told(intel, _report(intel, fact))
        case ContactsFaded(turn=turn):
            return _faded(intel, turn)
        case Coasted(piece=piece):
            held = intel.held[piece]
            notice = notices.TrackCoasts(handle=held.handle, label=held.label)
            return _held_and_told(intel, piece, _replace(held, fix=Fix.COASTING), notice)
        case Found():
            return found(intel, fact, dice)
        case Counted() | OwnCounted() | OwnTrailLost():
            return hunted(intel, fact)
        case Lost() | Left() | SeenLanding() | SeenDestroyed() | Vanished() | TrailLost():
            return _gone(intel, fact)
        case Located() | Recognised():
            return _given_away(intel, fact)
        case Identified():
            return _identified(intel, fact)
        case Answered():
            return _answered(intel, fact)
        case Scored(points=points, at_most=at_most):
            up_to = intel.points_up_to + (at_most or 0)
            return _replace(intel, points=intel.points + (points or 0), points_up_to=up_to)
        case _ if isinstance(fact, CapitalFact):
            return absorb_capital(intel, fact, dice)
        case _:
            if isinstance(fact, AgentFact):
                return absorb_agents(intel, fact)
            return absorb_ground(intel, fact, dice)


def noticed(intel: Intel, told: Sequence[Announced | OwnTold | TruthTold]) -> Intel:
    """Return `intel` after its audience has learned facts of one kind that are notices."""
    notes = [fact.notice for fact in told]
    if not isinstance(told[0], Announced):
        done = [notice.body for notice in notes if isinstance(notice, notices.OwnCollected)]
        return _replace(intel, told=(*intel.told, *notes), collected=(*intel.collected, *done))
    heard = _replace(intel, record=(*intel.record, *notes), told=(*intel.told, *notes))
    for notice in notes:
        if isinstance(notice, notices.NovaSeen):
            heard = _replace(heard, nova_until=max(heard.nova_until, notice.until))
        elif isinstance(notice, notices.JamSet):
            heard = _replace(heard, jammed=notice.until)
    return heard


def _told(intel: Intel, notice: notices.Notice) -> Intel:
    return _replace(intel, told=(*intel.told, notice))


def _hold(intel: Intel, piece: PieceId, held: Held) -> Intel:
    return _replace(intel, held={**intel.held, piece: held})


def _held_and_told(intel: Intel, piece: PieceId, held: Held, notice: notices.Notice) -> Intel:
    return _replace(intel, held={**intel.held, piece: held}, told=(*intel.told, notice))


def _sighted(intel: Intel, fact: Sighted, dice: Dice) -> Intel:
    intel, held = met(intel, fact.piece, fact.square, dice)
    # A second contact in the turn adds its signatures; those of an earlier turn are old.
    earlier = held.signatures if held.turn == intel.turn else ()
    new = tuple(name for name in fact.signatures if name not in earlier)
    seen = _replace(
        held,
        square=fact.square,
        turn=intel.turn,
        signatures=(*earlier, *new),
        signal=fact.signal,
    )
    notice = notices.ContactSeen(
        handle=seen.handle, label=seen.label, square=fact.square, signatures=fact.signatures
    )
    return _held_and_told(intel, fact.piece, seen, notice)


def _tracked(intel: Intel, fact: Tracked | Followed) -> Intel:
    held = intel.held[fact.piece]
    is_old = held.turn != intel.turn
    live = _replace(
        held,
        signatures=() if is_old else held.signatures,
        signal=None if is_old else held.signal,
        fix=Fix.TRACKED,
        square=fact.square,
        turn=intel.turn,
        vector=fact.vector,
        facing=fact.facing,
        size=held.size if isinstance(fact, Followed) else fact.size,
    )
    if isinstance(fact, Followed):
        return _hold(intel, fact.piece, live)
    notice = notices.TrackGained(handle=live.handle, label=live.label, square=live.square)
    return _held_and_told(intel, fact.piece, live, notice)


_Gone = Lost | Left | SeenLanding | SeenDestroyed | Vanished | TrailLost
"""The ends of a hold."""


def _gone(intel: Intel, fact: _Gone) -> Intel:
    marker = _marker_of(intel.held[fact.piece])
    rest = {piece: held for piece, held in intel.held.items() if piece != fact.piece}
    intel = _replace(intel, held=rest)
    match fact:
        case Lost():
            return _remember(_told(intel, notices.TrackLost(label=marker.label)), marker)
        case Vanished():
            return _remember(_told(intel, notices.ContactCloaked(label=marker.label)), marker)
        case TrailLost():
            return _remember(_told(intel, notices.TrailCold(label=marker.label)), marker)
        case Left():
            escaped = _replace(marker, fate=Fate.ESCAPED)
            return _remember(_told(intel, notices.ContactLeft(label=marker.label)), escaped)
        case SeenDestroyed():
            dead = _replace(marker, fate=Fate.DESTROYED)
            return _remember(_told(intel, notices.ContactDestroyed(label=marker.label)), dead)
        case SeenLanding(body=body, sector=sector):
            down = _replace(marker, landing=Landing(body=body, sector=sector))
            notice = notices.ContactLanded(label=marker.label, body=body, sector=sector)
            return _remember(_told(intel, notice), down)
        case _:
            assert_never(fact)


def _given_away(intel: Intel, fact: Located | Recognised) -> Intel:
    # A shot shows on the live handle of a held shooter, else as a marker of this turn.
    held = intel.held.get(fact.piece)
    if held is not None and held.fix not in (Fix.COASTING, Fix.MEMORY):
        held = _replace(held, square=fact.square, turn=intel.turn)
        if isinstance(fact, Recognised):
            held = _replace(held, side=fact.side, type=fact.type)
        intel, label = _hold(intel, fact.piece, held), held.label
    else:
        intel, label = mint_label(intel)
        marker = Marker(label=label, square=fact.square, turn=intel.turn)
        if isinstance(fact, Recognised):
            marker = _replace(marker, side=fact.side, type=fact.type)
        intel = _remember(intel, marker)
    if isinstance(fact, Located):
        return intel
    return _told(
        intel,
        notices.ShooterKnown(label=label, square=fact.square, side=fact.side, type=fact.type),
    )


def _identified(intel: Intel, fact: Identified) -> Intel:
    held = _replace(intel.held[fact.piece], side=fact.side, type=fact.type)
    notice = notices.ContactIdentified(
        handle=held.handle, label=held.label, side=fact.side, type=fact.type
    )
    return _held_and_told(intel, fact.piece, held, notice)


def _answered(intel: Intel, fact: Answered) -> Intel:
    held = intel.held[fact.target]
    notice = notices.DataScanned(
        ship=fact.ship, at=held.handle, outcome=fact.outcome, dossier=fact.dossier
    )
    if fact.dossier is None:
        return _told(intel, notice)
    return _held_and_told(intel, fact.target, _replace(held, dossier=fact.dossier), notice)


def _report(
    intel: Intel, fact: ScanReported | ShotReported
) -> notices.ScanResult | notices.ShotResult:
    if isinstance(fact, ShotReported):
        return notices.ShotResult(
            ship=fact.ship,
            weapon=fact.weapon,
            at=intel.held[fact.target].handle,
            damage=fact.damage,
            dice=fact.dice,
            stopped=fact.stopped or 0,
            arc=fact.arc,
        )
    return notices.ScanResult(
        ship=fact.ship,
        found=_handles(intel, fact.found),
        tracked=_handles(intel, fact.tracked),
        roll=fact.roll,
    )


def _handles(intel: Intel, pieces: tuple[PieceId, ...]) -> tuple[Handle, ...]:
    if not pieces:
        return ()
    held = sorted([intel.held[piece] for piece in pieces], key=_label_number)
    return tuple([contact.handle for contact in held])


def _label_number(held: Held) -> int:
    return int(held.label[1:])


def _exposed(intel: Intel, fact: Exposed) -> Intel:
    by_side = dict(intel.exposed.get(fact.ship, {}))
    by_side.pop(fact.side, None)
    if fact.fix is not None:
        by_side[fact.side] = fact.fix
    return _replace(intel, exposed={**intel.exposed, fact.ship: by_side})


def _faded(intel: Intel, turn: int) -> Intel:
    tracks: dict[PieceId, Held] = {}
    contacts: list[Held] = []
    for piece, held in intel.held.items():
        after = faded(held)
        if after is None:
            contacts.append(held)
        else:
            tracks[piece] = after
    contacts.sort(key=_label_number)
    exposed = {
        ship: {side: fix for side, fix in by_side.items() if fix is not Fix.CONTACT}
        for ship, by_side in intel.exposed.items()
    }
    return _replace(
        intel,
        held=tracks,
        markers=_remembered(intel, *map(_marker_of, contacts)) if contacts else intel.markers,
        exposed=exposed,
        beset=besets_faded(intel),
        record=(),
        turn=turn + 1,
    )


def _marker_of(held: Held) -> Marker:
    return Marker(
        label=held.label,
        square=held.square,
        turn=held.turn,
        signatures=held.signatures,
        vector=held.vector,
        facing=held.facing,
        size=held.size,
        side=held.side,
        type=held.type,
        dossier=held.dossier,
    )


def _remember(intel: Intel, marker: Marker) -> Intel:
    return _replace(intel, markers=_remembered(intel, marker))


def _remembered(intel: Intel, *markers: Marker) -> tuple[Marker, ...]:
    # The public sees no memory: an owner must not learn from it what the holder still knows.
    if intel.audience == PUBLIC:
        return ()
    return (*intel.markers, *markers)[-MARKERS_KEPT:]
