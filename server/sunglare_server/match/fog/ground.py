"""The surface as an audience sees it: units, agents, maps and tokens."""

from functools import lru_cache

from sunglare_protocol import views
from sunglare_protocol.surface import Site
from sunglare_rules.ground.builds import height_of_kind
from sunglare_server.match.data.ground_classes import GroundWeapon
from sunglare_server.match.data.scenario import AreaData
from sunglare_server.match.fog import agents as agents_fog
from sunglare_server.match.intel.ground import (
    HeldToken,
    OwnAgent,
    OwnMissile,
    OwnUnit,
    TokenMarker,
)
from sunglare_server.match.intel.space import Intel

_PIECES_KEPT = 4096
"""How many pieces of surfaces are kept made: most are the same from one frame to the next."""

_MAPS_KEPT = 2048
"""How many maps with their tokens are kept made: few windows change any."""

_ARMS_KEPT = 1024
"""How many ground classes' weapons, as parts of views, are kept made."""


def units(intel: Intel, turn: int) -> tuple[views.GroundView, ...]:
    """Return the own ground units as their owner sees them in `turn`."""
    return tuple([_unit(unit, unit.silent_turn == turn) for unit in intel.ground])


def agents(intel: Intel) -> tuple[views.AgentView, ...]:
    """Return the own agents."""
    return tuple(map(_agent, intel.agents))


def surfaces(intel: Intel) -> tuple[views.SurfaceView, ...]:
    """Return the maps that the audience sees or remembers tokens of, by their sites."""
    if not (intel.sites or intel.token_markers):
        return ()
    marked = [marker.site for marker in intel.token_markers]
    sites = sorted(dict.fromkeys((*intel.sites, *marked)))
    return tuple([_surface(site, site in intel.sites, *_on_map(intel, site)) for site in sites])


def missiles(intel: Intel) -> tuple[views.MissileView, ...]:
    """Return the own missiles on their way over the ground."""
    return tuple(map(_missile, intel.missiles))


def areas(given: tuple[AreaData, ...]) -> tuple[views.AreaView, ...]:
    """Return the set-up areas of a side."""
    return tuple(views.AreaView(site=area.at, cells=area.cells) for area in given)


def _on_map(intel: Intel, site: Site) -> tuple[tuple[HeldToken, ...], tuple[TokenMarker, ...]]:
    """Return what the audience holds on a map, and what it remembers there."""
    held = [token for token in intel.tokens.values() if token.site == site]
    held.sort(key=_number)
    return tuple(held), tuple([mark for mark in intel.token_markers if mark.site == site])


def _number(token: HeldToken) -> int:
    return int(token.label[1:])


@lru_cache(maxsize=_MAPS_KEPT)
def _surface(
    site: Site, seen: bool, held: tuple[HeldToken, ...], marks: tuple[TokenMarker, ...]
) -> views.SurfaceView:
    tokens = (*map(_held, held), *map(_remembered, marks))
    return views.SurfaceView(site=site, seen=seen, tokens=tokens)


@lru_cache(maxsize=_PIECES_KEPT)
def _missile(missile: OwnMissile) -> views.MissileView:
    return views.MissileView(
        ship=missile.ship,
        weapon=missile.weapon,
        at=missile.at,
        cell=missile.cell,
        lands=missile.lands,
    )


@lru_cache(maxsize=_PIECES_KEPT)
def _held(token: HeldToken) -> views.TokenView:
    return views.TokenView(
        label=token.label,
        cell=token.cell,
        turn=token.turn,
        handle=token.handle,
        side=token.side,
        type=token.type,
        build=token.build,
        footprint=token.footprint,
        dossier=token.dossier,
    )


@lru_cache(maxsize=_PIECES_KEPT)
def _remembered(marker: TokenMarker) -> views.TokenView:
    return views.TokenView(
        label=marker.label,
        cell=marker.cell,
        turn=marker.turn,
        side=marker.side,
        type=marker.type,
        build=marker.build,
        footprint=marker.footprint,
        dossier=marker.dossier,
        fate=marker.fate,
    )


@lru_cache(maxsize=_PIECES_KEPT)
def _unit(unit: OwnUnit, is_silent: bool) -> views.GroundView:
    kind = unit.type
    return views.GroundView(
        id=unit.id,
        name=unit.name,
        type=kind.type,
        variant=kind.name,
        kind=kind.kind,
        toughness=kind.toughness,
        points=kind.points,
        site=unit.site,
        cell=None if unit.site is None else unit.cell,
        aboard=unit.aboard,
        hidden=unit.hidden,
        mode=kind.mode,
        move=kind.move,
        jump=kind.jump,
        height=height_of_kind(kind.kind, kind.specials),
        af=kind.af,
        quality=kind.quality,
        gunnery=kind.gunnery,
        specials=kind.specials,
        weapons=_arms(kind.weapons),
        damage=unit.damage,
        heat=unit.heat,
        ecm_on=unit.ecm_on,
        dispensers=kind.dispensers,
        silent=is_silent,
        fate=unit.fate,
    )


@lru_cache(maxsize=_ARMS_KEPT)
def _arms(weapons: tuple[GroundWeapon, ...]) -> tuple[views.ArmView, ...]:
    return tuple(
        views.ArmView(id=weapon.id, kind=weapon.kind, damage=weapon.damages) for weapon in weapons
    )


@lru_cache(maxsize=_PIECES_KEPT)
def _agent(agent: OwnAgent) -> views.AgentView:
    return views.AgentView(
        id=agent.id,
        name=agent.name,
        combat=agent.combat,
        endurance=agent.endurance,
        intelligence=agent.intelligence,
        leadership=agent.leadership,
        npc=agent.npc,
        site=agent.site,
        aboard=agent.aboard,
        stacked=agent.stacked,
        group=agent.group,
        detected=agent.detected,
        wounds=agent.wounds,
        captor=agent.captor,
        stance=agents_fog.stance(agent.stance),
        fate=agent.fate,
    )
