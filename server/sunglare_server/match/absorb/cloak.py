"""Turns facts on cloaked ships into intel: finds, and the trails of their hunts.

Source: cloak hunting of our rule book §3: a hunted ship keeps its handle as long as its trackers
hold anything.
"""

from typing import assert_never

import msgspec

from sunglare_protocol.ids import OwnId
from sunglare_protocol.notices.cloak import (
    CloakedFound,
)
from sunglare_protocol.words.ladder import Fix
from sunglare_server.match.absorb.handles import mint_handle, mint_label
from sunglare_server.match.dice import Dice
from sunglare_server.match.facts.space import Counted, Found, OwnCounted, OwnTrailLost
from sunglare_server.match.ids import PieceId
from sunglare_server.match.intel.space import Beset, Held, Intel, Trail

_replace = msgspec.structs.replace


def found(intel: Intel, fact: Found, dice: Dice) -> Intel:
    """Return `intel` after a cloaked ship was found, on the handle of its hunt or a new one.

    What was learned of it under this handle, its size and identity, is kept.
    """
    held = intel.held.get(fact.piece)
    if held is None:
        intel, handle = mint_handle(intel, dice)
        intel, label = mint_label(intel)
        held = Held(handle=handle, label=label, fix=fact.fix, square=fact.square, turn=intel.turn)
    seen = _replace(
        held,
        fix=fact.fix,
        square=fact.square,
        turn=intel.turn,
        vector=fact.vector,
        facing=fact.facing,
        size=fact.size or held.size,
        side=fact.side or held.side,
        type=fact.type or held.type,
    )
    notice = CloakedFound(handle=seen.handle, label=seen.label, square=seen.square, fix=seen.fix)
    return _replace(intel, held={**intel.held, fact.piece: seen}, told=(*intel.told, notice))


def hunted(intel: Intel, fact: Counted | OwnCounted | OwnTrailLost) -> Intel:
    """Return `intel` after a hunt went on, or ended, for the hunter or for the owner."""
    match fact:
        case Counted():
            held = _replace(intel.held[fact.piece], trail=_trail(fact))
            return _replace(intel, held={**intel.held, fact.piece: held})
        case OwnCounted():
            return _beset(intel, fact.ship, fact.piece, Beset(fix=fact.fix, trail=_trail(fact)))
        case OwnTrailLost():
            return _beset(intel, fact.ship, fact.piece, None)
        case _:
            assert_never(fact)


def faded(held: Held) -> Held | None:
    """Return what is held after the end of the turn; None for what only leaves a marker.

    OWN: an audience that does not know the trackers holds a cloaked ship for its turn only.
    """
    match held.fix:
        case Fix.CONTACT:
            return None
        case Fix.DETECTED | Fix.SOLUTION | Fix.MEMORY:
            return (
                None
                if held.trail is None
                else _replace(held, fix=Fix.MEMORY, trail=_old(held.trail))
            )
        case Fix.TRACKED | Fix.COASTING:
            return held
        case _:
            assert_never(held.fix)


def besets_faded(intel: Intel) -> dict[OwnId, dict[PieceId, Beset]]:
    """Return the hunts for own ships after the end of the turn: none is found any more."""
    return {
        ship: {
            key: _replace(beset, fix=Fix.MEMORY, trail=_old(beset.trail))
            for key, beset in hunts.items()
        }
        for ship, hunts in intel.beset.items()
    }


def _trail(fact: Counted | OwnCounted) -> Trail:
    return Trail(
        trackers=fact.trackers,
        solution_window=fact.solution_window,
        solution_dice=fact.solution_dice,
        mode=fact.mode,
    )


def _old(trail: Trail) -> Trail:
    return _replace(trail, solution_window=False, solution_dice=False)


def _beset(intel: Intel, ship: OwnId, key: PieceId, hunt: Beset | None) -> Intel:
    hunts = {piece: old for piece, old in intel.beset.get(ship, {}).items() if piece != key}
    if hunt is not None:
        hunts[key] = hunt
    return _replace(intel, beset={**intel.beset, ship: hunts})
