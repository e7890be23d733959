"""Grants on what spies have seen: the troops of an environs and their leaders.

Source: search of our rule book §3; missions, "Spying".
"""

import msgspec

from sunglare_protocol.ids import audience_of
from sunglare_rules.blips.ecm import has_jammer
from sunglare_server.match.events.agents import UnitsSpied
from sunglare_server.match.facts.agents import SpiedUnit, TroopsSpied
from sunglare_server.match.facts.space import Grant
from sunglare_server.match.learn.audiences import names_of
from sunglare_server.match.truth.ground import GroundTruth
from sunglare_server.match.truth.truth import Truth


def of_spies(event: UnitsSpied, truth: Truth) -> list[Grant]:
    """Return the troops of an environs, hidden ones too, for the side whose spies saw them."""
    units = [_spied(truth.ground[piece]) for piece in event.units]
    units.sort(key=lambda unit: (unit.side, unit.cell, msgspec.msgpack.encode(unit)))
    spied = TroopsSpied(
        site=event.site,
        units=tuple(units),
        leaders=names_of(truth, event.leaders),
    )
    return [Grant(audience_of(event.side), "owner", spied)]


def _spied(unit: GroundTruth) -> SpiedUnit:
    return SpiedUnit(
        side=unit.side,
        type=unit.type.type,
        variant=unit.type.name,
        cell=unit.cell,
        hidden=unit.hidden,
        damage=unit.damage,
        toughness=unit.type.toughness,
        heat=unit.heat,
        move=unit.type.move,
        modes=(unit.type.mode.value,),
        ecm=unit.ecm_on if has_jammer(unit.type.specials) else None,
    )
