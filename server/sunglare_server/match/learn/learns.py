"""`learns`: one arm for every event, so that none goes without a decision on who learns of it."""

from collections.abc import Iterable
from typing import assert_never

from sunglare_protocol.ids import audience_of
from sunglare_protocol.notices import InitiativeDrawn, PieceLost, SideOut
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.events.agents import AgentEvent
from sunglare_server.match.events.blips import (
    EcmSwitched,
    PieceProbed,
    PieceSpotted,
    RemoteLaunched,
    ShipHeated,
)
from sunglare_server.match.events.capital import CapitalEvent
from sunglare_server.match.events.cloak import CloakEvent
from sunglare_server.match.events.ground import GroundEvent
from sunglare_server.match.events.space import (
    CargoCollected,
    ContactMade,
    DamageTaken,
    Event,
    FighterLaunched,
    InitiativeRolled,
    LeechDrained,
    LossCounted,
    NovaFired,
    PointsScored,
    PowerSwitched,
    RadarGaveAway,
    ScanDeclared,
    ScanFinished,
    SensorsSwitched,
    ShipDeployed,
    ShipDestroyed,
    ShipEscaped,
    ShipExamined,
    ShipLanded,
    ShipLifted,
    ShipMoved,
    ShipTracked,
    ShooterExposed,
    ShotFired,
    SideWentOut,
    SystemLost,
    TrackEnded,
    TrackMissed,
    TurnEnded,
    TurretRotated,
    VolleyLaunched,
    VolleyMoved,
)
from sunglare_server.match.facts.space import ContactsFaded, Grant, Scored
from sunglare_server.match.learn import agents, capital
from sunglare_server.match.learn import blips as spotting
from sunglare_server.match.learn import cloak as hunting
from sunglare_server.match.learn import fire as firing
from sunglare_server.match.learn import ground as surface
from sunglare_server.match.learn import movement as moving
from sunglare_server.match.learn import sensors as scanning
from sunglare_server.match.learn.audiences import audiences, to_all
from sunglare_server.match.truth.truth import Truth


def learns(  # noqa: C901 - an arm for every event
    event: Event, before: Truth, after: Truth, options: MatchOptions
) -> Iterable[Grant]:
    """Return who learns what of `event`, which turned `before` into `after`."""
    # What happens often stands first.
    match event:
        case ShipExamined():
            return scanning.of_examination(event, before)
        case ContactMade() | ShipTracked() | RadarGaveAway() | TrackMissed() | TrackEnded():
            return _of_holds(event, before, after, options)
        case ShipMoved() | ShipLifted() | VolleyMoved():
            return moving.of_move(event, before, after)
        case ScanDeclared():
            return scanning.of_declaration(event, before)
        case ScanFinished():
            return scanning.of_finish(event, before)
        case TurnEnded() | InitiativeRolled() | SideWentOut() | LossCounted() | PointsScored():
            return _of_turn(event, before)
        case (
            SensorsSwitched() | DamageTaken() | ShipDeployed() | PowerSwitched() | TurretRotated()
        ):
            return ()
        case PieceSpotted() | PieceProbed() | EcmSwitched() | RemoteLaunched() | ShipHeated():
            return _of_blips(event, before)
        case (
            ShotFired()
            | NovaFired()
            | ShooterExposed()
            | LeechDrained()
            | SystemLost()
            | ShipDestroyed()
        ):
            return _of_fire(event, before)
        case VolleyLaunched() | FighterLaunched():
            return moving.of_launch(event, before)
        case ShipLanded():
            return moving.of_landing(event, before, after)
        case ShipEscaped():
            return moving.of_escape(event, before)
        case CargoCollected():
            return moving.of_collection(event, before)
        case _:
            return _of_others(event, before, after, options)


def _of_others(
    event: CloakEvent | AgentEvent | CapitalEvent | GroundEvent,
    before: Truth,
    after: Truth,
    options: MatchOptions,
) -> Iterable[Grant]:
    if isinstance(event, CloakEvent):
        return hunting.of_cloak_event(event, before, after, options)
    if isinstance(event, AgentEvent):
        return agents.of_agents(event, before, after)
    if isinstance(event, CapitalEvent):
        return capital.of_capital(event, before)
    return surface.of_ground(event, before, after)


def _of_holds(
    event: ContactMade | ShipTracked | RadarGaveAway | TrackMissed | TrackEnded,
    before: Truth,
    after: Truth,
    options: MatchOptions,
) -> Iterable[Grant]:
    match event:
        case ContactMade():
            values = options.contact_values == "yes"
            return scanning.of_contact(event, before, after, values=values)
        case ShipTracked():
            return scanning.of_track(event, after)
        case RadarGaveAway():
            return scanning.of_radar(event, before, after)
        case TrackMissed():
            return scanning.of_miss(event, after)
        case TrackEnded():
            return scanning.of_loss(event, before)
        case _:
            assert_never(event)


def _of_blips(
    event: PieceSpotted | PieceProbed | EcmSwitched | RemoteLaunched | ShipHeated, before: Truth
) -> Iterable[Grant]:
    match event:
        case PieceSpotted():
            return spotting.of_spotting(event, before)
        case PieceProbed():
            return spotting.of_probe(event, before)
        case EcmSwitched() | RemoteLaunched() | ShipHeated():
            return ()
        case _:
            assert_never(event)


def _of_fire(
    event: ShotFired | NovaFired | ShooterExposed | LeechDrained | SystemLost | ShipDestroyed,
    before: Truth,
) -> Iterable[Grant]:
    match event:
        case ShotFired():
            return firing.of_shot(event, before)
        case NovaFired():
            return firing.of_nova(before)
        case ShooterExposed():
            return firing.of_exposure(event, before)
        case SystemLost():
            return firing.of_system(event, before)
        case LeechDrained():
            return firing.of_leeches(event, before)
        case ShipDestroyed():
            return firing.of_destruction(event, before)
        case _:
            assert_never(event)


def _of_turn(
    event: InitiativeRolled | SideWentOut | LossCounted | PointsScored | TurnEnded, before: Truth
) -> Iterable[Grant]:
    match event:
        case InitiativeRolled(order=order):
            return to_all(before, InitiativeDrawn(order=order))
        case SideWentOut(side=side):
            return to_all(before, SideOut(side=side))
        case LossCounted():
            return to_all(before, _loss(event))
        case PointsScored():
            return _of_points(event)
        case TurnEnded(turn=turn):
            faded = ContactsFaded(turn=turn)
            return [Grant(audience, "all", faded) for audience in audiences(before)]
        case _:
            assert_never(event)


def _loss(event: LossCounted) -> PieceLost:
    return PieceLost(
        side=event.side, piece=event.piece, turns=event.turns, ends_after=event.ends_after
    )


def _of_points(event: PointsScored) -> Iterable[Grant]:
    if not event.is_known:
        return ()
    surely = Scored(points=event.points)
    fact = surely if event.at_most is None else Scored(at_most=event.at_most)
    return (Grant(audience_of(event.side), "scorer", fact),)
