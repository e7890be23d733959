"""`absorb_capital`: how a fact of capital fire changes what is known."""

from typing import assert_never

import msgspec

from sunglare_protocol.notices.capital import BombardResult, FighterSeen
from sunglare_server.match.absorb.handles import met
from sunglare_server.match.dice import Dice
from sunglare_server.match.facts.capital import BlastReported, CapitalFact, Overflown
from sunglare_server.match.intel.space import Intel

_replace = msgspec.structs.replace


def absorb_capital(intel: Intel, fact: CapitalFact, dice: Dice) -> Intel:
    """Return `intel` after its audience has learned `fact`."""
    match fact:
        case Overflown():
            return _overflown(intel, fact, dice)
        case BlastReported():
            return _replace(intel, told=(*intel.told, _result(intel, fact)))
        case _:
            assert_never(fact)


def _overflown(intel: Intel, fact: Overflown, dice: Dice) -> Intel:
    intel, held = met(intel, fact.piece, fact.square, dice)
    seen = _replace(held, square=fact.square, turn=intel.turn, side=fact.side, type=fact.type)
    notice = FighterSeen(
        handle=seen.handle,
        label=seen.label,
        square=fact.square,
        side=fact.side,
        type=fact.type,
    )
    return _replace(intel, held={**intel.held, fact.piece: seen}, told=(*intel.told, notice))


def _result(intel: Intel, fact: BlastReported) -> BombardResult:
    harmed = sorted(
        ((intel.tokens[piece], damage) for piece, damage in fact.harmed),
        key=lambda pair: int(pair[0].label[1:]),
    )
    return BombardResult(
        ship=fact.ship,
        weapon=fact.weapon,
        site=fact.site,
        dice=fact.dice,
        point=fact.point,
        harmed=tuple(token.handle for token, _ in harmed),
        damage=tuple(damage for _, damage in harmed),
    )
