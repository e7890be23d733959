"""Own pieces on the ground: the copy of a side's units and agents into its intel.

Whether and by whom a unit is known to others is no part of it: that is learned from events.
"""

import msgspec

from sunglare_protocol.ids import OwnId, Side
from sunglare_server.match.ids import PieceId
from sunglare_server.match.intel.agents import OwnStance
from sunglare_server.match.intel.ground import OwnAgent, OwnMissile, OwnUnit
from sunglare_server.match.intel.space import Intel
from sunglare_server.match.kinds import MissileFlight, Stance
from sunglare_server.match.truth.agents import AgentTruth
from sunglare_server.match.truth.ground import GroundTruth
from sunglare_server.match.truth.truth import Truth


def with_ground(intel: Intel, before: Truth, after: Truth, side: Side) -> Intel:
    """Return the intel of `side`, made of `before`, with what has changed on the ground since."""
    if before.missiles is not after.missiles:
        intel = msgspec.structs.replace(intel, missiles=own_missiles(after, side))
    same = before.ground is after.ground and before.agents is after.agents
    if same and before.search is after.search:
        return intel
    units, agents = _units(intel, before, after, side), _agents(intel, before, after, side)
    search = msgspec.structs.replace(intel.search, strike=after.search.strike_of(side))
    return msgspec.structs.replace(intel, ground=units, agents=agents, search=search)


def _units(intel: Intel, before: Truth, after: Truth, side: Side) -> tuple[OwnUnit, ...]:
    """Return the units of `side`, those that nothing has happened to as `intel` has them."""
    if before.ground is after.ground:
        return intel.ground
    known = {unit.id: unit for unit in intel.ground}
    return tuple(
        [
            known[unit.own]
            if before.ground.get(unit.id) is unit and unit.own in known
            else _own_unit(unit, _own_id(after, unit.aboard))
            for unit in after.ground_of(side)
        ]
    )


def _agents(intel: Intel, before: Truth, after: Truth, side: Side) -> tuple[OwnAgent, ...]:
    """Return the agents of `side` in the same way."""
    if before.agents is after.agents:
        return intel.agents
    known = {agent.id: agent for agent in intel.agents}
    return tuple(
        [
            known[agent.own]
            if before.agents.get(agent.id) is agent and agent.own in known
            else _copied(after, agent)
            for agent in after.agents_of(side)
        ]
    )


def own_missiles(truth: Truth, side: Side) -> tuple[OwnMissile, ...]:
    """Return the missiles of `side` on their way over the ground, in the order of their launch."""
    return tuple(_own_missile(missile) for missile in truth.missiles if missile.side == side)


def own_units(truth: Truth, side: Side) -> tuple[OwnUnit, ...]:
    """Return the ground units of `side` as their owner knows them, in roster order."""
    return tuple(_own_unit(unit, _own_id(truth, unit.aboard)) for unit in truth.ground_of(side))


def own_agents(truth: Truth, side: Side) -> tuple[OwnAgent, ...]:
    """Return the agents of `side` as their owner knows them, in roster order."""
    return tuple(_copied(truth, agent) for agent in truth.agents_of(side))


def _copied(truth: Truth, agent: AgentTruth) -> OwnAgent:
    return _own_agent(
        agent,
        aboard=_own_id(truth, agent.aboard),
        stacked=None if agent.stacked is None else truth.ground[agent.stacked].own,
        stance=_stance(truth, agent.stance),
    )


# The copies themselves take the piece and the names of own pieces, never the truth: they could not
# reveal what others know if they tried.


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


def _own_agent(
    agent: AgentTruth, *, aboard: OwnId | None, stacked: OwnId | None, stance: OwnStance
) -> OwnAgent:
    return OwnAgent(
        id=agent.own,
        name=agent.name,
        combat=agent.combat,
        endurance=agent.endurance,
        intelligence=agent.intelligence,
        leadership=agent.leadership,
        npc=agent.npc,
        site=agent.site,
        aboard=aboard,
        stacked=stacked,
        group=agent.group,
        detected=agent.detected,
        wounds=agent.wounds,
        captor=agent.captor,
        stance=stance,
        fate=agent.fate,
    )


def _stance(truth: Truth, stance: Stance) -> OwnStance:
    chosen = stance.hides_by
    return OwnStance(
        fight=stance.fight,
        wounds=tuple(truth.agents[piece].own for piece in stance.wounds),
        hides_by=None if chosen is None else truth.agents[chosen].own,
    )


def _own_id(truth: Truth, ship: PieceId | None) -> OwnId | None:
    return None if ship is None else truth.ships[ship].own
