"""The agents and ships of a match as the rules of agents take them, and flags taken back.

Source: search of our rule book §2, "Entities"; the orbit box of a planet is its gravity well.
"""

from collections.abc import Iterator
from functools import lru_cache

from sunglare_protocol.geometry import Board
from sunglare_protocol.ids import OwnId, Side
from sunglare_protocol.surface import Site
from sunglare_protocol.words.pieces import PieceKind
from sunglare_protocol.words.search import Cause
from sunglare_rules.search.agents import (
    Aboard,
    Agent,
    OnGround,
    Scene,
    Vessel,
    VesselPlace,
    ground_of,
    orbit_or_space,
)
from sunglare_server.match.events.agents import AgentEvent, FlagCleared, FlagForgotten, FlagSet
from sunglare_server.match.ids import PieceId, piece_id
from sunglare_server.match.truth.agents import AgentTruth
from sunglare_server.match.truth.ground import GroundTruth
from sunglare_server.match.truth.truth import ShipTruth, Truth

_VESSELS_KEPT = 2048
"""How many ships are kept made as vessels: most stay the same from one scene to the next."""


def scene_of(truth: Truth) -> Scene:
    """Return all free agents and ships in play, and where each side has troops."""
    troops = dict.fromkeys([(unit.side, site) for unit, site in _troops(truth)])
    return Scene(
        agents=tuple([_agent(agent) for agent in truth.agents.values() if agent.is_free]),
        vessels=tuple([_vessel(truth.board, ship) for ship in truth.in_play() if can_carry(ship)]),
        troops=tuple([(side, ground_of(site)) for side, site in troops]),
    )


def detected_scene(truth: Truth) -> Scene:
    """Return the detected agents and ships in play, with the ships in which the agents are.

    Alerts ask for no more; mostly there are none.
    """
    agents = [agent for agent in truth.agents.values() if agent.detected and agent.is_free]
    carriers = frozenset([agent.aboard for agent in agents])
    ships = [ship for ship in truth.ships.values() if ship.detected or ship.id in carriers]
    return Scene(
        agents=tuple([_agent(agent) for agent in agents]),
        vessels=tuple(
            [_vessel(truth.board, ship) for ship in ships if ship.in_play and can_carry(ship)]
        ),
    )


def can_carry(ship: ShipTruth) -> bool:
    """Return whether a piece in space may have agents aboard: missiles and the like have not."""
    return ship.type.kind is PieceKind.STARSHIP


def place_of_ship(truth: Truth, ship: ShipTruth) -> VesselPlace:
    """Return the environs on which a ship is landed, or the orbit box or space it is in."""
    return _vessel(truth.board, ship).at


def units_at(truth: Truth, side: Side, site: Site) -> tuple[GroundTruth, ...]:
    """Return the military units of a side in an environs; a remote sensor is none (OWN)."""
    return tuple(unit for unit, at in _troops(truth) if unit.side == side and at == site)


def site_of_piece(truth: Truth, side: Side, own: OwnId) -> Site | None:
    """Return the environs where an own agent or ground unit is, None for anything else."""
    piece = piece_id(side, own)
    if piece in truth.agents:
        return site_of_agent(truth, truth.agents[piece])
    return truth.ground[piece].site if piece in truth.ground else None


def site_of_agent(truth: Truth, agent: AgentTruth) -> Site | None:
    """Return the environs where an agent is, on foot or aboard a landed ship."""
    if agent.aboard is None:
        return agent.site
    landing = truth.ships[agent.aboard].landing
    return None if landing is None else landing.site


def size_of(truth: Truth, site: Site) -> int:
    """Return the size number of an environs."""
    environs = truth.board.environs_at(site)
    return 0 if environs is None else environs.size


def flags(
    before: Scene, after: Scene, first: dict[PieceId, Cause] | None = None
) -> Iterator[AgentEvent]:
    """Yield what differs in detection between two scenes.

    `first` gives the cause of those whom something else than company or troops detected.
    """
    known = first or {}
    # Who is still the same value is not looked at.
    was_as = {who.name: who for who in _pieces(before)}
    for now in [who for who in _pieces(after) if was_as[who.name] is not who]:
        was, piece = was_as[now.name], PieceId(now.name)
        if now.detected and not was.detected:
            yield FlagSet(piece=piece, cause=_cause(now, was, known.get(piece)))
        elif was.detected and not now.detected:
            yield FlagCleared(piece=piece, planet=now.shaken or "")
        elif was.shaken is not None and now.shaken is None:
            yield FlagForgotten(piece=piece)


def _pieces(scene: Scene) -> tuple[Agent | Vessel, ...]:
    return (*scene.agents, *scene.vessels)


def _cause(now: Agent | Vessel, was: Agent | Vessel, first: Cause | None) -> Cause:
    if first is not None:
        return first
    if isinstance(now, Agent) and now.stacked:
        return Cause.TROOPS
    return Cause.COMPANY if was.shaken is None else Cause.RETURN


def _troops(truth: Truth) -> list[tuple[GroundTruth, Site]]:
    return [
        (unit, unit.site)
        for unit in truth.ground.values()
        if unit.site is not None and unit.in_play and not unit.is_remote
    ]


def _agent(agent: AgentTruth) -> Agent:
    at: OnGround | Aboard = Aboard(str(agent.aboard))
    if agent.aboard is None and agent.site is not None:
        at = ground_of(agent.site)
    return Agent(
        name=agent.id,
        owner=agent.side,
        at=at,
        intelligence=agent.intelligence,
        leadership=agent.leadership,
        combat=agent.combat,
        endurance=agent.endurance,
        wounds=agent.wounds,
        npc=agent.npc,
        stacked=agent.with_units,
        mission=agent.group,
        detected=agent.detected,
        shaken=agent.shaken,
    )


@lru_cache(maxsize=_VESSELS_KEPT)
def _vessel(board: Board, ship: ShipTruth) -> Vessel:
    site = None if ship.landing is None else ship.landing.site
    return Vessel(
        name=ship.id,
        owner=ship.side,
        at=orbit_or_space(board, ship.square) if site is None else ground_of(site),
        is_agent_spaceship=ship.type.agent_spaceship,
        has_shuttle=ship.type.shuttle,
        cloaked=ship.cloaked,
        detected=ship.detected,
        shaken=ship.shaken,
    )
