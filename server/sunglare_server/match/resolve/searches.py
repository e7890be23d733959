"""Searches and the fights that follow: what a side that looks for agents finds and does.

Source: Freedom in the Galaxy 10.2; search of our rule book §2, "Search", "Patrol" and "Fight".
"""

from collections.abc import Callable, Iterator
from typing import final

import msgspec

from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.surface import Quality, Site
from sunglare_protocol.words.search import Strike
from sunglare_rules.search.agents import (
    Agent,
    Scene,
    ground_of,
    searchable,
    stacked_at,
    unstacked_at,
)
from sunglare_rules.search.fights import Fight, agent_party, fought, patrol_party
from sunglare_rules.search.patrols import Patrol, patrol, sent
from sunglare_rules.search.search import SIDES, leader_of, search_value, searched, speaker
from sunglare_server.match.dice import Dice, Purpose
from sunglare_server.match.events.agents import (
    AgentEvent,
    AgentKilled,
    AgentWounded,
    FightFought,
    ItemDropped,
    SearchTried,
)
from sunglare_server.match.ids import PieceId, piece_id
from sunglare_server.match.kinds import Stance
from sunglare_server.match.resolve.agents_scene import scene_of, size_of, units_at
from sunglare_server.match.truth.agents import AgentTruth
from sunglare_server.match.truth.truth import Truth


@final
class SearchPlan(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A search to be made: who searches whom where, under whom, and who strikes.

    An event of a mission gives up the mission group `mission`; `speaker` is the agent whose
    mission it was, so that its dice are its own.
    """

    side: Side
    owner: Side
    site: Site
    strike: Strike
    leader: OwnId | None = None
    mission: int | None = None
    speaker: PieceId | None = None

    @property
    def key(self) -> str:
        """Return what the dice of this search are kept under."""
        where = f"{self.side}/{self.owner}/{self.site.body}/{self.site.environs}"
        return where if self.speaker is None else f"{where}/{self.speaker}"


def value_of(truth: Truth, scene: Scene, hunt: SearchPlan) -> int:
    """Return the search value of the searching side there, as its pieces stand now."""
    ground = ground_of(hunt.site)
    leader = _leader(scene, hunt)
    forces = [unit.type.af for unit in units_at(truth, hunt.side, hunt.site)]
    wits = [agent.intelligence for agent in unstacked_at(scene, hunt.side, ground)]
    return search_value(forces, 0 if leader is None else leader.leadership, wits)


def search(truth: Truth, hunt: SearchPlan, dice: Dice) -> SearchTried:
    """Return how the search resolves; one without a quarry reads like a failure."""
    scene = scene_of(truth)
    group = searchable(scene, hunt.owner, ground_of(hunt.site), hunt.mission)
    chosen = speaker_of(truth, group).hides_by if group else None
    die = dice.roll(SIDES, truth.turn, Purpose.SEARCH, hunt.key, 0)
    tried = searched(value_of(truth, scene, hunt), group, size_of(truth, hunt.site), die, chosen)
    return SearchTried(
        side=hunt.side,
        owner=hunt.owner,
        site=hunt.site,
        value=tried.value,
        hiding=tried.hiding,
        needed=tried.needed,
        die=tried.die,
        found=tried.found,
        group=tuple(PieceId(agent.name) for agent in group),
        mission=hunt.mission,
    )


def strike(
    truth: Truth, hunt: SearchPlan, found: tuple[PieceId, ...], dice: Dice
) -> list[AgentEvent]:
    """Return the fight against agents just found, nothing if none goes."""
    scene = scene_of(truth)
    ground = ground_of(hunt.site)
    qualities = _qualities(truth, hunt)
    own = unstacked_at(scene, hunt.side, ground)
    going = sent(hunt.strike, bool(qualities), bool(own))
    defenders = [scene.agent(piece) for piece in found]
    if going is Strike.NONE or not defenders:
        return []
    roll = _fight_dice(truth, hunt, dice)
    stance = speaker_of(truth, defenders)
    hidden = agent_party(defenders, stance.wounds or None)
    if going is Strike.AGENTS:
        order = speaker_of(truth, own).wounds or None
        fight = fought(agent_party(own, order), hidden, stance.fight, roll)
        return list(_told(truth, hunt, fight, found, None, own))
    die = dice.roll(6, truth.turn, Purpose.PATROL, hunt.key, 0)
    soldiers = patrol(qualities, die, _leader(scene, hunt) is not None)
    if soldiers is None:
        return []
    fight = fought(patrol_party(soldiers), hidden, stance.fight, roll)
    return list(_told(truth, hunt, fight, found, soldiers, ()))


def speaker_of(truth: Truth, group: tuple[Agent, ...] | list[Agent]) -> Stance:
    """Return the standing orders of the agent that speaks for a group."""
    return truth.agents[PieceId(speaker(group).name)].stance


def _leader(scene: Scene, hunt: SearchPlan) -> Agent | None:
    named = None if hunt.leader is None else piece_id(hunt.side, hunt.leader)
    return leader_of(stacked_at(scene, hunt.side, ground_of(hunt.site)), named)


def _qualities(truth: Truth, hunt: SearchPlan) -> tuple[Quality, ...]:
    # OWN: machines count in the search, but only troops of the chart have soldiers to send.
    units = units_at(truth, hunt.side, hunt.site)
    return tuple(unit.type.quality for unit in units if unit.type.quality is not None)


def _fight_dice(truth: Truth, hunt: SearchPlan, dice: Dice) -> Callable[[int, int], int]:
    def roll(sides: int, index: int) -> int:
        return dice.roll(sides, truth.turn, Purpose.FIGHT, hunt.key, index)

    return roll


def _told(
    truth: Truth,
    hunt: SearchPlan,
    fight: Fight,
    found: tuple[PieceId, ...],
    soldiers: Patrol | None,
    own: tuple[Agent, ...],
) -> Iterator[AgentEvent]:
    fallen = [defender.name for defender in fight.defenders_fallen]
    struck = [] if soldiers is not None else [attacker.name for attacker in fight.attackers_fallen]
    yield FightFought(
        side=hunt.side,
        owner=hunt.owner,
        site=hunt.site,
        outcome=fight.ending,
        found=found,
        soldier=None if soldiers is None else soldiers.soldier,
        soldiers=0 if soldiers is None else soldiers.size,
        lost=0 if soldiers is None else len(fight.attackers_fallen),
        sent=tuple(PieceId(agent.name) for agent in own),
        fallen=_named(truth, (*fallen, *struck)),
        escaped=_named(truth, [fighter.name for fighter in fight.escaped]),
        dice=tuple((bout.attacker_die, bout.defender_die) for bout in fight.rounds),
    )
    alive = (*fight.standing, *fight.escaped, *(fight.attackers if soldiers is None else ()))
    wounds = {fighter.name: fighter.wounds for fighter in alive}
    for piece in _named(truth, tuple(wounds)):
        if wounds[piece] != truth.agents[piece].wounds:
            yield AgentWounded(piece=piece, wounds=wounds[piece])
    for piece in _named(truth, (*fallen, *struck)):
        yield from killed(truth, truth.agents[piece], hunt)


def killed(truth: Truth, agent: AgentTruth, hunt: SearchPlan) -> Iterator[AgentEvent]:
    """Yield the death of a fighter, and what it carried lying where it fell."""
    by = hunt.owner if agent.side == hunt.side else hunt.side
    yield AgentKilled(piece=agent.id, killers=(by,))
    for item in truth.search.items.values():
        if item.carrier == agent.id:
            yield ItemDropped(item=item.name, site=hunt.site)


def _named(truth: Truth, names: list[str] | tuple[str, ...]) -> tuple[PieceId, ...]:
    """Return the agents of those names in the order of the match."""
    return tuple(piece for piece in truth.agents if piece in names)
