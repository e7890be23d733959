"""`apply_ground`: how one event of the surface changes the truth."""

from typing import assert_never

import msgspec

from sunglare_protocol.ids import Side
from sunglare_protocol.words.ladder import Fate
from sunglare_server.match.events.ground import (
    AgentStationed,
    AttackerRevealed,
    GroundEvent,
    GroundShotFired,
    HiddenExposed,
    MapClosed,
    MapOpened,
    MapOverflown,
    OccupationCounted,
    PieceIdentified,
    SensorSown,
    TakenAlong,
    TokenEnded,
    TokenGained,
    TokenProbed,
    UnitDamaged,
    UnitDestroyed,
    UnitLoaded,
    UnitMoved,
    UnitStationed,
    UnitUncovered,
    UnitUnloaded,
    WeaponsHeated,
)
from sunglare_server.match.ids import PieceId
from sunglare_server.match.truth.ground import GroundTruth, Occupier, SurfaceTruth, TokenHold
from sunglare_server.match.truth.truth import Truth

_replace = msgspec.structs.replace


def apply_ground(truth: Truth, event: GroundEvent) -> Truth:
    """Return the truth after `event`."""
    match event:
        case GroundShotFired() | TokenProbed() | MapOverflown():
            return truth
        case AgentStationed(piece=piece, site=site, stacked=stacked):
            agent = _replace(truth.agents[piece], site=site, stacked=stacked)
            return _replace(truth, agents={**truth.agents, piece: agent})
        case SensorSown():
            return _sown(truth, event)
        case TakenAlong():
            return _taken_along(truth, event)
        case OccupationCounted():
            return _replace(truth, occupiers=_occupiers(truth, event))
        case MapOpened() | MapClosed() | TokenGained() | TokenEnded():
            return _replace(truth, surface=_seen(truth.surface, event))
        case PieceIdentified() | HiddenExposed() | AttackerRevealed():
            held = TokenHold(identified=True)
            surface = _with_token(truth.surface, event.side, event.piece, held)
            return _replace(truth, surface=surface)
        case _:
            unit = _changed(truth.ground[event.piece], event)
            return _replace(truth, ground={**truth.ground, unit.id: unit})


def _occupiers(truth: Truth, event: OccupationCounted) -> tuple[Occupier, ...]:
    others = tuple(one for one in truth.occupiers if one.site != event.site)
    if not event.turns:
        return others
    return (*others, Occupier(site=event.site, side=event.sides[0], turns=event.turns))


_UnitChange = (
    UnitStationed
    | UnitMoved
    | UnitLoaded
    | UnitUnloaded
    | UnitUncovered
    | UnitDamaged
    | UnitDestroyed
    | WeaponsHeated
)


def _changed(unit: GroundTruth, event: _UnitChange) -> GroundTruth:
    match event:
        case UnitUncovered():
            return _replace(unit, hidden=False)
        case UnitDamaged(damage=damage):
            return _replace(unit, damage=unit.damage + damage)
        case UnitDestroyed():
            return _replace(unit, fate=Fate.DESTROYED)
        case WeaponsHeated(heat=heat):
            return _replace(unit, heat=heat)
        case UnitStationed() | UnitMoved() | UnitLoaded() | UnitUnloaded():
            return _moved(unit, event)
        case _:
            assert_never(event)


def _moved(
    unit: GroundTruth, event: UnitStationed | UnitMoved | UnitLoaded | UnitUnloaded
) -> GroundTruth:
    match event:
        case UnitStationed(site=site, cell=cell, hidden=hidden):
            return _replace(unit, site=site, cell=cell, hidden=hidden)
        case UnitMoved(cells=cells):
            return _replace(unit, cell=cells[-1]) if cells else unit
        case UnitLoaded(ship=ship):
            return _replace(unit, site=None, aboard=ship, hidden=False)
        case UnitUnloaded(site=site, cell=cell):
            return _replace(unit, site=site, cell=cell, aboard=None)
        case _:
            assert_never(event)


def _sown(truth: Truth, event: SensorSown) -> Truth:
    launcher = truth.ground[event.launcher]
    kind = launcher.type.remote
    if kind is None:
        raise ValueError(f"{launcher.type.name} has no remote sensors")
    sensor = GroundTruth(
        id=event.piece,
        side=launcher.side,
        own=event.own,
        name=kind.name,
        type=kind,
        site=event.site,
        cell=event.cell,
        launcher=launcher.id,
    )
    return _replace(truth, ground={**truth.ground, sensor.id: sensor})


def _taken_along(truth: Truth, event: TakenAlong) -> Truth:
    piece = event.piece
    if piece in truth.ground:
        unit = _replace(truth.ground[piece], fate=event.fate)
        return _replace(truth, ground={**truth.ground, piece: unit})
    agent = _replace(truth.agents[piece], fate=event.fate)
    return _replace(truth, agents={**truth.agents, piece: agent})


def _seen(
    surface: SurfaceTruth, event: MapOpened | MapClosed | TokenGained | TokenEnded
) -> SurfaceTruth:
    match event:
        case MapOpened(side=side, site=site):
            sites = tuple(sorted((*surface.maps_of(side), site)))
            return _replace(surface, seen={**surface.seen, side: sites})
        case MapClosed(side=side, site=site):
            sites = tuple(other for other in surface.maps_of(side) if other != site)
            return _replace(surface, seen={**surface.seen, side: sites})
        case TokenGained(side=side, piece=piece, identified=identified):
            return _with_token(surface, side, piece, TokenHold(identified=identified))
        case TokenEnded(side=side, piece=piece):
            return _with_token(surface, side, piece, None)
        case _:
            assert_never(event)


def _with_token(
    surface: SurfaceTruth, side: Side, piece: PieceId, hold: TokenHold | None
) -> SurfaceTruth:
    tokens = {other: old for other, old in surface.tokens_of(side).items() if other != piece}
    if hold is not None:
        tokens[piece] = hold
    return _replace(surface, tokens={**surface.tokens, side: tokens})
