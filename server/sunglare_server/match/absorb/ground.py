"""`absorb_ground`: how a fact of the surface changes what an audience knows.

Source: blips of our rule book §3.8: a token is held while its map is seen, and no longer.
"""

from typing import assert_never

import msgspec

from sunglare_protocol import notices
from sunglare_protocol.words.ladder import Fate
from sunglare_server.match.absorb.handles import mint_handle, mint_label
from sunglare_server.match.dice import Dice
from sunglare_server.match.facts.ground import (
    GroundFact,
    GroundShotReported,
    MapHidden,
    MapShown,
    TokenAnswered,
    TokenMoved,
    TokenNamed,
    TokenShown,
    TokenTaken,
)
from sunglare_server.match.ids import PieceId
from sunglare_server.match.intel.ground import HeldToken, TokenMarker
from sunglare_server.match.intel.space import Intel

TOKEN_MARKERS_KEPT = 24
"""OWN: how many memories of tokens an audience keeps, the newest."""

_replace = msgspec.structs.replace


def absorb_ground(intel: Intel, fact: GroundFact, dice: Dice) -> Intel:
    """Return `intel` after its audience has learned `fact`."""
    match fact:
        case MapShown(site=site):
            sites = tuple(sorted((*intel.sites, site)))
            return _told(_replace(intel, sites=sites), notices.MapSeen(site=site))
        case MapHidden(site=site):
            sites = tuple(other for other in intel.sites if other != site)
            return _told(_replace(intel, sites=sites), notices.MapLost(site=site))
        case TokenShown():
            return _shown(intel, fact, dice)
        case TokenMoved() | TokenNamed() | TokenAnswered():
            return _learned(intel, fact)
        case TokenTaken():
            return _taken(intel, fact)
        case GroundShotReported():
            return _told(intel, _report(intel, fact))
        case _:
            assert_never(fact)


def _told(intel: Intel, notice: notices.GroundNotice | notices.DataScanned) -> Intel:
    return _replace(intel, told=(*intel.told, notice))


def _hold(intel: Intel, piece: PieceId, token: HeldToken) -> Intel:
    return _replace(intel, tokens={**intel.tokens, piece: token})


def _shown(intel: Intel, fact: TokenShown, dice: Dice) -> Intel:
    intel, handle = mint_handle(intel, dice)
    intel, label = mint_label(intel)
    token = HeldToken(
        handle=handle,
        label=label,
        site=fact.site,
        cell=fact.cell,
        turn=intel.turn,
        side=fact.side,
        type=fact.type,
        build=fact.build,
        footprint=fact.footprint,
    )
    notice = notices.TokenSeen(
        handle=handle,
        label=label,
        site=fact.site,
        cell=fact.cell,
        side=fact.side,
        type=fact.type,
    )
    return _told(_hold(intel, fact.piece, token), notice)


def _taken(intel: Intel, fact: TokenTaken) -> Intel:
    token = intel.tokens[fact.piece]
    rest = {piece: held for piece, held in intel.tokens.items() if piece != fact.piece}
    known = token if fact.side is None else fact
    marker = TokenMarker(
        label=token.label,
        site=token.site,
        cell=token.cell,
        turn=intel.turn,
        side=known.side,
        type=known.type,
        build=known.build,
        footprint=known.footprint,
        dossier=token.dossier,
        fate=Fate.DESTROYED if fact.how is notices.TokenEnd.DESTROYED else Fate.IN_PLAY,
    )
    markers = (*intel.token_markers, marker)[-TOKEN_MARKERS_KEPT:]
    gone = notices.TokenGone(label=token.label, how=fact.how, side=fact.side, type=fact.type)
    return _told(_replace(intel, tokens=rest, token_markers=markers), gone)


def _learned(intel: Intel, fact: TokenMoved | TokenNamed | TokenAnswered) -> Intel:
    match fact:
        case TokenMoved(piece=piece, cell=cell):
            token = intel.tokens[piece]
            return _hold(intel, piece, _replace(token, cell=cell, turn=intel.turn))
        case TokenNamed(piece=piece, side=side, type=kind):
            token = _replace(
                intel.tokens[piece],
                side=side,
                type=kind,
                build=fact.build,
                footprint=fact.footprint,
                turn=intel.turn,
            )
            known = notices.TokenIdentified(
                handle=token.handle, label=token.label, side=side, type=kind
            )
            return _told(_hold(intel, piece, token), known)
        case TokenAnswered():
            return _answered(intel, fact)
        case _:
            assert_never(fact)


def _answered(intel: Intel, fact: TokenAnswered) -> Intel:
    token = intel.tokens[fact.target]
    notice = notices.DataScanned(
        ship=fact.ship, at=token.handle, outcome=fact.outcome, dossier=fact.dossier
    )
    if fact.dossier is not None:
        intel = _hold(intel, fact.target, _replace(token, dossier=fact.dossier))
    return _told(intel, notice)


def _report(intel: Intel, fact: GroundShotReported) -> notices.GroundShotResult:
    return notices.GroundShotResult(
        ship=fact.ship,
        weapon=fact.weapon,
        at=intel.tokens[fact.target].handle,
        damage=fact.damage,
        dice=fact.dice,
    )
