"""Other worlds in which what decides on data scans on the ground is another: jammers, armour."""

from random import Random

import msgspec

from second_reading.probes import answer_on_ground
from sunglare_protocol.ids import Audience, audience_of
from sunglare_protocol.words.dossiers import Outcome
from sunglare_protocol.words.specials import Special
from sunglare_rules.blips.ecm import has_jammer
from sunglare_rules.blips.spotting import is_stealthy
from sunglare_server.match.state import MatchState
from two_worlds.otherground import enemies, with_unit
from two_worlds.parts import Orders, inquiries

_replace = msgspec.structs.replace


def switch_jammer(
    state: MatchState, rng: Random, audience: Audience, _orders: Orders
) -> MatchState | None:
    """Switch the jammer of a foreign ground unit."""
    units = [unit for unit in enemies(state.truth, audience) if has_jammer(unit.type.specials)]
    if not units:
        return None
    unit = rng.choice(units)
    return with_unit(state, _replace(unit, ecm_on=not unit.ecm_on))


def armoured_for_jammed(
    state: MatchState, rng: Random, audience: Audience, orders: Orders
) -> MatchState | None:
    """Let a token that the audience's probe cannot make out be stealthy, or else jammed."""
    truth = state.truth
    vague = [
        truth.ground[target]
        for scanner, target in inquiries(state, orders)
        if target in truth.ground and scanner in truth.ground
        if audience_of(truth.ground[scanner].side) == audience
        if answer_on_ground(truth, (scanner, target)) == (Outcome.INCONCLUSIVE, True)
    ]
    if not vague:
        return None
    unit = rng.choice(vague)
    plain = tuple(special for special in unit.type.specials if not is_stealthy((special,)))
    stealthy = len(plain) < len(unit.type.specials)
    kind = _replace(unit.type, specials=(*plain, Special.AECM if stealthy else Special.STL))
    return with_unit(state, _replace(unit, type=kind, ecm_on=True))
