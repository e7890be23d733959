"""Other worlds in which what decides on data scans on the ground is another: jammers, armour."""

from random import Random

import msgspec

from second_reading.probes import answer_on_ground
from sunglare_protocol.words.dossiers import Outcome
from sunglare_rules.blips.ecm import has_jammer
from sunglare_server.match.state import MatchState
from two_worlds.otherground import changed, enemies
from two_worlds.otherpieces import stealthy_or_jammed
from two_worlds.parts import World, inquiries

_replace = msgspec.structs.replace


def switch_jammer(world: World, rng: Random) -> MatchState | None:
    """Switch the jammer of a foreign ground unit."""
    units = [unit for unit in enemies(world) if has_jammer(unit.type.specials)]
    return changed(world, rng, units, lambda unit: _replace(unit, ecm_on=not unit.ecm_on))


def armoured_for_jammed(world: World, rng: Random) -> MatchState | None:
    """Let a token that the audience's probe cannot make out be stealthy, or else jammed."""
    truth = world.truth
    vague = [
        truth.ground[target]
        for scanner, target in inquiries(world.state, world.orders)
        if target in truth.ground and scanner in truth.ground
        if world.is_own(truth.ground[scanner].side)
        if answer_on_ground(truth, (scanner, target)) == (Outcome.INCONCLUSIVE, True)
    ]
    return changed(
        world,
        rng,
        vague,
        lambda unit: _replace(
            unit,
            type=_replace(unit.type, specials=stealthy_or_jammed(unit.type.specials)),
            ecm_on=True,
        ),
    )
