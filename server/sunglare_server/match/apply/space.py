"""`apply`: the one function that changes the truth, by one event.

It never rolls, never refuses and never looks at a clock; every number is in the event.
"""

from typing import assert_never

import msgspec

from sunglare_protocol.geometry import Vector
from sunglare_protocol.words.ladder import Fate, Fix
from sunglare_rules.fire.nova import nova_blind_until
from sunglare_rules.fire.shots import Extra
from sunglare_rules.fire.special_weapons import LEECH_TURNS
from sunglare_rules.fire.weapons import is_one_shot
from sunglare_server.match.apply.agents import apply_agents
from sunglare_server.match.apply.capital import apply_capital
from sunglare_server.match.apply.changing import (
    cloaked,
    contacted,
    given_away,
    is_identified,
    knowing,
    with_hold,
    with_ship,
)
from sunglare_server.match.apply.cloak import cloak_applied, killed
from sunglare_server.match.apply.ground import apply_ground
from sunglare_server.match.apply.launch import launched
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
from sunglare_server.match.ids import PieceId
from sunglare_server.match.truth.truth import (
    Hold,
    Leech,
    Loss,
    Nova,
    ShipTruth,
    Truth,
    TurretTruth,
)

_replace = msgspec.structs.replace


def apply(truth: Truth, event: Event) -> Truth:  # noqa: C901 - an arm for every event
    """Return the truth after `event`."""
    # What happens often stands first.
    match event:
        case ShipExamined() | ScanFinished() | PieceProbed():
            return truth
        case ContactMade() | ShipTracked() | TrackMissed() | TrackEnded():
            return _held(truth, event)
        case ShotFired():
            return _fired(truth, event)
        case (
            ShipMoved()
            | ScanDeclared()
            | SensorsSwitched()
            | DamageTaken()
            | LeechDrained()
            | SystemLost()
            | ShipDeployed()
            | PowerSwitched()
            | TurretRotated()
            | ShipLifted()
            | VolleyMoved()
            | ShipHeated()
        ):
            return with_ship(truth, _changed(truth.ships[event.piece], event))
        case EcmSwitched():
            return _jammer_switched(truth, event)
        case ShipLanded() | ShipEscaped() | ShipDestroyed():
            return _out_of_sight(truth, event)
        case CargoCollected():
            return _collected(truth, event)
        case VolleyLaunched() | FighterLaunched() | RemoteLaunched():
            return launched(truth, event)
        case NovaFired():
            return _nova_fired(truth, event)
        case RadarGaveAway(piece=piece):
            return given_away(truth, piece)
        case ShooterExposed():
            return knowing(truth, event.witnesses, event.piece)
        case PieceSpotted(side=side, piece=piece):
            return knowing(truth, (side,), piece)
        case PointsScored() | SideWentOut() | LossCounted() | InitiativeRolled() | TurnEnded():
            return _turned(truth, event)
        case _:
            return _elsewhere(truth, event)


def _elsewhere(truth: Truth, event: CloakEvent | AgentEvent | CapitalEvent | GroundEvent) -> Truth:
    if isinstance(event, CloakEvent):
        return cloak_applied(truth, event)
    if isinstance(event, AgentEvent):
        return apply_agents(truth, event)
    if isinstance(event, CapitalEvent):
        return apply_capital(truth, event)
    return apply_ground(truth, event)


def _turned(
    truth: Truth,
    event: PointsScored | SideWentOut | LossCounted | InitiativeRolled | TurnEnded,
) -> Truth:
    match event:
        case PointsScored(side=side, points=points):
            return _replace(truth, points={**truth.points, side: truth.points[side] + points})
        case SideWentOut(side=side):
            return _replace(truth, out=(*truth.out, side))
        case LossCounted():
            return _replace(truth, losses=_losses(truth, event))
        case InitiativeRolled(turn=turn):
            return _replace(truth, turn=turn)
        case TurnEnded():
            return _turn_ended(truth)
        case _:
            return apply_ground(truth, event)


def _losses(truth: Truth, event: LossCounted) -> tuple[Loss, ...]:
    lost = event.side, event.piece
    others = (loss for loss in truth.losses or () if (loss.side, loss.piece) != lost)
    return (*others, Loss(side=event.side, piece=event.piece, turns=event.turns))


_ShipChange = (
    ShipDeployed
    | PowerSwitched
    | SensorsSwitched
    | TurretRotated
    | ShipMoved
    | ShipLanded
    | ShipLifted
    | VolleyMoved
    | ScanDeclared
    | DamageTaken
    | LeechDrained
    | SystemLost
    | ShipHeated
)


def _changed(ship: ShipTruth, event: _ShipChange) -> ShipTruth:
    match event:
        case ScanDeclared(habit=habit):
            return _replace(ship, habit=habit)
        case ShipMoved() | VolleyMoved() | ShipDeployed() | ShipLanded() | ShipLifted():
            return _moved(ship, event)
        case PowerSwitched() | SensorsSwitched():
            return _switched(ship, event)
        case ShipHeated(heat=heat):
            return _replace(ship, heat=heat)
        case TurretRotated():
            return _replace(ship, turrets=_rotated(ship, event))
        case DamageTaken() | LeechDrained():
            return _hurt(ship, event)
        case SystemLost(system=system):
            return _system_lost(ship, system)
        case _:
            assert_never(event)


def _jammer_switched(truth: Truth, event: EcmSwitched) -> Truth:
    if event.piece not in truth.ground:
        return with_ship(truth, _replace(truth.ships[event.piece], ecm_on=event.on))
    unit = _replace(truth.ground[event.piece], ecm_on=event.on)
    return _replace(truth, ground={**truth.ground, unit.id: unit})


def _switched(ship: ShipTruth, event: PowerSwitched | SensorsSwitched) -> ShipTruth:
    match event:
        case PowerSwitched(powered=powered, starting=starting):
            return _replace(ship, powered=powered, starting=starting)
        case SensorsSwitched(out=out):
            return _replace(ship, popped_out=out)
        case _:
            assert_never(event)


def _moved(
    ship: ShipTruth, event: ShipDeployed | ShipMoved | ShipLanded | ShipLifted | VolleyMoved
) -> ShipTruth:
    match event:
        case ShipMoved() | VolleyMoved():
            return _flown(ship, event)
        case ShipDeployed(square=square, vector=vector, facing=facing, landing=landing):
            placed = _replace(
                ship,
                square=square,
                vector=vector,
                facing=facing,
                landing=landing,
                popped_out=ship.popped_out and landing is None,
            )
            return placed if event.cloaked is None else cloaked(placed, on=event.cloaked)
        case ShipLanded(landing=landing, square=square, thrust_spent=spent):
            # Thrust used by a landed ship is 0, whatever the landing cost.
            return _replace(
                ship,
                landing=landing,
                square=square,
                vector=Vector(0, 0),
                popped_out=False,
                thrust_spent=spent,
                thrust_used=0,
            )
        case ShipLifted(square=square, facing=facing, thrust_spent=spent):
            return _replace(
                ship,
                landing=None,
                square=square,
                vector=Vector(0, 0),
                facing=facing,
                thrust_spent=spent,
                thrust_used=spent,
            )
        case _:
            assert_never(event)


def _flown(ship: ShipTruth, event: ShipMoved | VolleyMoved) -> ShipTruth:
    end = _replace(ship, square=event.square, vector=event.vector, facing=event.facing)
    if isinstance(event, ShipMoved):
        return _replace(end, thrust_spent=event.thrust_spent, thrust_used=event.thrust_used)
    volley = ship.volley
    if volley is not None:
        volley = _replace(volley, aim=event.aim, movements=volley.movements + 1)
    return _replace(end, volley=volley)


def _rotated(ship: ShipTruth, event: TurretRotated) -> tuple[TurretTruth, ...]:
    return tuple(
        _replace(turret, arcs=event.arcs) if turret.id == event.turret else turret
        for turret in ship.turrets
    )


def _system_lost(ship: ShipTruth, system: str) -> ShipTruth:
    if system == "drive":
        return _replace(ship, drive_losses=ship.drive_losses + 1)
    if system == "sensors":
        return _replace(ship, lost=(*ship.lost, system), popped_out=False)
    return _replace(ship, lost=(*ship.lost, system))


def _hurt(ship: ShipTruth, event: DamageTaken | LeechDrained) -> ShipTruth:
    hurt = _replace(ship, damage=ship.damage + event.damage)
    if isinstance(event, DamageTaken):
        return hurt
    on = tuple(_replace(leech, turns=leech.turns - 1) for leech in ship.leeches if leech.turns > 1)
    return _replace(hurt, leeches=on)


def _fired(truth: Truth, event: ShotFired) -> Truth:
    shooter = truth.ships[event.piece]
    if is_one_shot(event.kind):
        spent = (*shooter.spent, event.weapon)
        truth = with_ship(truth, _replace(shooter, spent=spent))
    if event.extra is Extra.LEECHES:
        target = truth.ships[event.target]
        leech = Leech(side=shooter.side, turns=LEECH_TURNS)
        truth = with_ship(truth, _replace(target, leeches=(*target.leeches, leech)))
    return truth


def _nova_fired(truth: Truth, event: NovaFired) -> Truth:
    nova = Nova(
        piece=event.piece,
        weapon=event.weapon,
        turn=truth.turn,
        square=event.square,
        facing=event.facing,
    )
    return _replace(truth, novas=(*truth.novas, nova))


def _collected(truth: Truth, event: CargoCollected) -> Truth:
    side = truth.ships[event.piece].side
    met = (*truth.collected.get(side, ()), event.body)
    return _replace(truth, collected={**truth.collected, side: met})


def _out_of_sight(truth: Truth, event: ShipLanded | ShipEscaped | ShipDestroyed) -> Truth:
    ship = truth.ships[event.piece]
    match event:
        case ShipLanded():
            changed = _moved(ship, event)
        case ShipEscaped():
            changed = _replace(ship, fate=Fate.ESCAPED)
        case ShipDestroyed():
            changed = _replace(ship, fate=Fate.DESTROYED)
        case _:
            assert_never(event)
    released = _released(with_ship(truth, changed), event.piece)
    return killed(released, ship, event) if isinstance(event, ShipDestroyed) else released


def _released(truth: Truth, piece: PieceId) -> Truth:
    # A side that holds it sees it go. A coasting track stays: it goes on and is lost in its own
    # time, as if the ship had only been missed.
    holds = {
        side: {
            other: hold
            for other, hold in held.items()
            if other != piece or hold.fix is Fix.COASTING
        }
        for side, held in truth.holds.items()
    }
    return _replace(truth, holds=holds)


def _held(truth: Truth, event: ContactMade | ShipTracked | TrackMissed | TrackEnded) -> Truth:
    match event:
        case ContactMade(side=side):
            return with_hold(truth, side, event.piece, contacted(truth, side, event.piece))
        case ShipTracked(side=side):
            tracked = Hold(fix=Fix.TRACKED, identified=is_identified(truth, side, event.piece))
            return with_hold(truth, side, event.piece, tracked)
        case TrackMissed(side=side, misses=misses):
            known = is_identified(truth, side, event.piece)
            missed = Hold(fix=Fix.COASTING, contacted=False, misses=misses, identified=known)
            return with_hold(truth, side, event.piece, missed)
        case TrackEnded(side=side):
            return with_hold(truth, side, event.piece, None)
        case _:
            assert_never(event)


def _turn_ended(truth: Truth) -> Truth:
    holds = {
        side: {
            piece: _replace(hold, contacted=False)
            for piece, hold in held.items()
            if hold.fix is not Fix.CONTACT
        }
        for side, held in truth.holds.items()
    }
    # The last sweep of a nova has been made in the last turn that it spoils.
    novas = tuple(nova for nova in truth.novas if nova_blind_until(nova.turn) > truth.turn)
    hunts = {
        side: {quarry: _replace(hunt, fix=None) for quarry, hunt in hunting.items()}
        for side, hunting in truth.hunts.items()
    }
    return _replace(truth, holds=holds, hunts=hunts, active=(), novas=novas)
