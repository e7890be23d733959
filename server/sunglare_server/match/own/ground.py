"""Own pieces on the ground: the copy of a side's units and characters into its intel.

Whether and by whom a unit is known to others is no part of it: that is learned from events.
"""

import msgspec

from sunglare_protocol.ids import OwnId, Side
from sunglare_server.match.ids import PieceId
from sunglare_server.match.intel.agents import OwnStance
from sunglare_server.match.intel.ground import OwnMissile, OwnPerson, OwnUnit
from sunglare_server.match.intel.space import Intel
from sunglare_server.match.kinds import MissileFlight, Stance
from sunglare_server.match.truth.agents import CharacterTruth
from sunglare_server.match.truth.ground import GroundTruth
from sunglare_server.match.truth.truth import Truth


def with_ground(intel: Intel, before: Truth, after: Truth, side: Side) -> Intel:
    """Return the intel of `side`, made of `before`, with what has changed on the ground since."""
    if before.missiles is not after.missiles:
        intel = msgspec.structs.replace(intel, missiles=own_missiles(after, side))
    same = before.ground is after.ground and before.people is after.people
    if same and before.agents is after.agents:
        return intel
    units, people = own_units(after, side), own_people(after, side)
    agents = msgspec.structs.replace(intel.agents, strike=after.agents.strike_of(side))
    return msgspec.structs.replace(intel, ground=units, people=people, agents=agents)


def own_missiles(truth: Truth, side: Side) -> tuple[OwnMissile, ...]:
    """Return the missiles of `side` on their way over the ground, in the order of their launch."""
    return tuple(_own_missile(each) for each in truth.missiles if each.side == side)


def own_units(truth: Truth, side: Side) -> tuple[OwnUnit, ...]:
    """Return the ground units of `side` as their owner knows them, in roster order."""
    return tuple(_own_unit(unit, _own_id(truth, unit.aboard)) for unit in truth.ground_of(side))


def own_people(truth: Truth, side: Side) -> tuple[OwnPerson, ...]:
    """Return the characters of `side` as their owner knows them, in roster order."""
    return tuple(
        _own_person(
            person,
            aboard=_own_id(truth, person.aboard),
            stacked=None if person.stacked is None else truth.ground[person.stacked].own,
            stance=_stance(truth, person.stance),
        )
        for person in truth.people_of(side)
    )


# The copies themselves take the piece and the names of own pieces, never the truth: they could
# not tell what others know if they tried.


def _own_missile(missile: MissileFlight) -> OwnMissile:
    return OwnMissile(
        ship=missile.own,
        weapon=missile.weapon,
        at=missile.at,
        cell=missile.cell,
        lands=missile.lands,
    )


def _own_unit(unit: GroundTruth, aboard: OwnId | None) -> OwnUnit:
    return OwnUnit(
        id=unit.own,
        name=unit.name,
        type=unit.type,
        site=unit.site,
        cell=unit.cell,
        aboard=aboard,
        hidden=unit.hidden,
        damage=unit.damage,
        heat=unit.heat,
        ecm_on=unit.ecm_on,
        silent_turn=unit.silent_turn,
        fate=unit.fate,
    )


def _own_person(
    person: CharacterTruth, *, aboard: OwnId | None, stacked: OwnId | None, stance: OwnStance
) -> OwnPerson:
    return OwnPerson(
        id=person.own,
        name=person.name,
        combat=person.combat,
        endurance=person.endurance,
        intelligence=person.intelligence,
        leadership=person.leadership,
        npc=person.npc,
        site=person.site,
        aboard=aboard,
        stacked=stacked,
        group=person.group,
        detected=person.detected,
        wounds=person.wounds,
        captor=person.captor,
        stance=stance,
        fate=person.fate,
    )


def _stance(truth: Truth, stance: Stance) -> OwnStance:
    chosen = stance.hides_by
    return OwnStance(
        fight=stance.fight,
        wounds=tuple(truth.people[each].own for each in stance.wounds),
        hides_by=None if chosen is None else truth.people[chosen].own,
    )


def _own_id(truth: Truth, ship: PieceId | None) -> OwnId | None:
    return None if ship is None else truth.ships[ship].own
