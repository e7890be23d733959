"""Detection of agents and their spaceships: what causes it, how it spreads, what ends it.

Source: Freedom in the Galaxy 10.1; search of our rule book §2, "Causes", "Closure", "Removal".

Every function that changes a scene is one atomic step and returns it closed: even a short meeting
spreads detection, so a scene is never read between a step and its closure.
"""

from collections.abc import Collection
from typing import NamedTuple, assert_never, final

import msgspec

from sunglare_protocol.ids import Side
from sunglare_rules.search.agents import (
    Aboard,
    Agent,
    InOrbit,
    InSpace,
    OnGround,
    Place,
    Scene,
    Vessel,
    VesselPlace,
    planet_of,
)

Cell = tuple[Side, Place]
"""Where the agents of one side share detection: an environs, an orbit box or a vessel."""


@final
class Bound(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The standing order of a vessel that leaves for good: to another planet, or off the map."""

    planet: str | None = None


class VesselMove(NamedTuple):
    """Where a vessel goes in the movement of a turn, and for where it is bound, if it is."""

    vessel: str
    to: VesselPlace
    bound: Bound | None = None


class Alert(NamedTuple):
    """What every enemy learns: agents of a side are near a place; neither who nor how many."""

    owner: Side
    place: OnGround | InOrbit | Aboard


def closed(scene: Scene) -> Scene:
    """Return the scene with detection spread as far as it goes: the least fixed point.

    Agents of one owner infect one another in an environs, an orbit box or a vessel; a
    spaceship infects its crew and any of them the ship. Troops detect agents that are stacked with
    them.
    """
    # Where anybody stands does not change while detection spreads.
    places = {vessel.name: vessel.at for vessel in scene.vessels}
    cells = [_cells(agent, places) for agent in scene.agents]
    hot = _spread(scene, cells)
    agents = tuple(
        [
            agent if hot.isdisjoint(around) else _detected(agent)
            for agent, around in zip(scene.agents, cells, strict=True)
        ]
    )
    # None but an agent spaceship has a flag to set.
    vessels = tuple(
        [
            _ship_detected(vessel)
            if vessel.is_agent_spaceship and _inside(vessel) in hot
            else vessel
            for vessel in scene.vessels
        ]
    )
    return msgspec.structs.replace(scene, agents=agents, vessels=vessels)


def _spread(scene: Scene, cells: list[tuple[Cell, ...]]) -> set[Cell]:
    """Return the cells with detection in the end; `cells` are those of each agent."""
    hot = {_inside(vessel) for vessel in scene.vessels if vessel.detected}
    shown = zip(scene.agents, cells, strict=True)
    hot.update(cell for agent, around in shown if _is_shown(agent) for cell in around)
    # A ship that is detected with its crew adds no place to theirs.
    before = 0
    while len(hot) > before:
        before = len(hot)
        for around in cells:
            if not hot.isdisjoint(around):
                hot.update(around)
    return hot


def _is_shown(agent: Agent) -> bool:
    # Troops detect the agents that are stacked with them.
    return agent.detected or (agent.stacked and isinstance(agent.at, OnGround))


def _cells(agent: Agent, places: dict[str, VesselPlace]) -> tuple[Cell, ...]:
    place = places[agent.at.vessel] if isinstance(agent.at, Aboard) else agent.at
    # Open space is no box: only those of one vessel are together there.
    around = () if isinstance(place, InSpace) else ((agent.owner, place),)
    return ((agent.owner, agent.at), *around)


def _inside(vessel: Vessel) -> Cell:
    return vessel.owner, Aboard(vessel.name)


def _detected(agent: Agent) -> Agent:
    if agent.detected:
        return agent
    return msgspec.structs.replace(agent, detected=True)


def _ship_detected(vessel: Vessel) -> Vessel:
    # A starship has no flag to set, with agents aboard or without.
    if vessel.detected or not vessel.is_agent_spaceship:
        return vessel
    return msgspec.structs.replace(vessel, detected=True)


def exposed(scene: Scene, names: Collection[str]) -> Scene:
    """Return the scene after those agents were detected, as by an event of a mission."""
    agents = tuple(_detected(agent) if agent.name in names else agent for agent in scene.agents)
    return closed(msgspec.structs.replace(scene, agents=agents))


def tracked(scene: Scene, *names: str) -> Scene:
    """Return the scene after enemies tracked vessels, or had a fire control solution on them.

    Only an agent spaceship in an orbit box is detected by that. In which order several are makes
    no difference: detection only spreads.
    """
    vessels = tuple(
        _ship_detected(ship) if ship.name in names and isinstance(ship.at, InOrbit) else ship
        for ship in scene.vessels
    )
    return closed(msgspec.structs.replace(scene, vessels=vessels))


def vessels_moved(scene: Scene, moves: Collection[VesselMove]) -> Scene:
    """Return the scene after vessels moved, landed or lifted off, all in the same moment.

    All moves of a turn are one step, or vessels that pass one another would meet by the order in
    which they are worked out. A vessel that leaves a planet for another one shakes detection off,
    with everyone aboard, before it meets anybody; one that comes back has it again.
    """
    by_name = {move.vessel: move for move in moves}
    vessels = tuple(
        _moved(vessel, by_name[vessel.name]) if vessel.name in by_name else vessel
        for vessel in scene.vessels
    )
    stood = {vessel.name: vessel.at for vessel in scene.vessels}
    agents = tuple([_carried(agent, stood, by_name) for agent in scene.agents])
    return closed(msgspec.structs.replace(scene, vessels=vessels, agents=agents))


class _Flag(NamedTuple):
    """Whether a piece is detected, and the planet at which it shook that off."""

    detected: bool
    shaken: str | None


def _moved(vessel: Vessel, move: VesselMove) -> Vessel:
    flag = _flag_after(_Flag(vessel.detected, vessel.shaken), vessel.at, move)
    return msgspec.structs.replace(vessel, at=move.to, detected=flag.detected, shaken=flag.shaken)


def _carried(agent: Agent, stood: dict[str, VesselPlace], moves: dict[str, VesselMove]) -> Agent:
    if not isinstance(agent.at, Aboard) or agent.at.vessel not in moves:
        return agent
    vessel = agent.at.vessel
    flag = _flag_after(_Flag(agent.detected, agent.shaken), stood[vessel], moves[vessel])
    return msgspec.structs.replace(agent, detected=flag.detected, shaken=flag.shaken)


def _flag_after(flag: _Flag, start: VesselPlace, move: VesselMove) -> _Flag:
    left, reached = planet_of(start), planet_of(move.to)
    if left is not None and reached != left and flag.detected and _leaves_for_good(left, move):
        flag = _Flag(detected=False, shaken=left)
    if reached is None:
        return flag
    # OWN: having ended a turn at any other planet, it has got away from the first.
    return _Flag(flag.detected or flag.shaken == reached, None)


def _leaves_for_good(planet: str, move: VesselMove) -> bool:
    # From one orbit box straight into another needs no order to be what the rule speaks of.
    if planet_of(move.to) is not None:
        return True
    return move.bound is not None and move.bound.planet != planet


def without(scene: Scene, names: Collection[str]) -> Scene:
    """Return the scene without those agents and vessels, and without everyone aboard these.

    No detection changes: agents and vessels infected before stay so.
    """
    vessels = tuple(vessel for vessel in scene.vessels if vessel.name not in names)
    agents = tuple(
        agent
        for agent in scene.agents
        if agent.name not in names
        and not (isinstance(agent.at, Aboard) and agent.at.vessel in names)
    )
    return msgspec.structs.replace(scene, vessels=vessels, agents=agents)


def alerts(scene: Scene) -> tuple[Alert, ...]:
    """Return the alerts that stand, each once, in an order that reveals nothing else.

    An agent aboard is near the vessel too; only sides that hold a track of it may learn that.
    """
    near: list[tuple[Side, Place]] = []
    for agent in scene.agents:
        if agent.detected:
            near += ((agent.owner, scene.place_of(agent)), (agent.owner, agent.at))
    for vessel in scene.vessels:
        if vessel.detected:
            near += ((vessel.owner, vessel.at), _inside(vessel))
    # No alert is of a spot in open space: it is with the vessel there.
    told = {Alert(owner, at): None for owner, at in near if not isinstance(at, InSpace)}
    return tuple(sorted(told, key=_alert_order))


def _alert_order(alert: Alert) -> tuple[Side, int, str, int]:
    match alert.place:
        case OnGround(planet=planet, environs=environs):
            return alert.owner, 0, planet, environs
        case InOrbit(planet=planet):
            return alert.owner, 1, planet, 0
        case Aboard(vessel=vessel):
            return alert.owner, 2, vessel, 0
        case _:
            assert_never(alert.place)
