"""Deployment, switches and movement: how the sealed orders of PLOT resolve.

Source: Intercept movement; sensors of our rule book §5, turn sequence §4 step 2 and §5.
"""

from collections.abc import Iterator
from typing import TypeVar

from sunglare_protocol.geometry import Compass, Landing, Square, Vector
from sunglare_protocol.orders import (
    Cloak,
    Deploy,
    Land,
    Lift,
    PlotOrder,
    Power,
    Rotate,
    Sensors,
    Thrust,
    Turn,
)
from sunglare_rules.arcs.turrets import rotated
from sunglare_rules.sensors.sectors import outward_square
from sunglare_rules.turn.movement import (
    LIFT_OFF_THRUST,
    PLANET_LANDING_THRUST,
    Flight,
    MoveEnding,
    edge_crossed,
    ending,
    flown,
    lift_off,
    thrust_used,
)
from sunglare_server.match.events.blips import (
    EcmSwitched,
)
from sunglare_server.match.events.cloak import (
    CloakSwitched,
)
from sunglare_server.match.events.space import (
    Event,
    PowerSwitched,
    SensorsSwitched,
    ShipDeployed,
    ShipDestroyed,
    ShipEscaped,
    ShipLanded,
    ShipLifted,
    ShipMoved,
    TurretRotated,
)
from sunglare_server.match.ids import PieceId
from sunglare_server.match.truth.truth import ShipTruth, Truth

_Kind = TypeVar("_Kind")

Plots = dict[PieceId, tuple[PlotOrder, ...]]
"""The accepted PLOT orders by ship."""


def deployments(truth: Truth, plots: Plots) -> Iterator[Event]:
    """Yield the deployments of turn 1; a ship without one stays where the dice put it."""
    for ship in truth.in_play():
        order = order_of(plots, ship, Deploy) if ship.id in plots else None
        if order is not None:
            yield ShipDeployed(
                piece=ship.id,
                square=order.at,
                vector=order.vector,
                facing=order.facing,
                landing=order.landed,
                cloaked=order.cloaked,
            )


def switches(truth: Truth, plots: Plots) -> Iterator[Event]:
    """Yield what is switched before anything moves: plants, cloaks, hull sensors, turrets."""
    for ship in truth.in_play():
        # Without an order nothing is switched but a plant that was ordered on last turn, and
        # the cloak of a ship that has lost it.
        if ship.starting or ship.cloaked or ship.id in plots:
            power = order_of(plots, ship, Power)
            yield from _power(ship, power)
            yield from _cloak(ship, order_of(plots, ship, Cloak))
            yield from _ecm(ship, power)
            yield from _sensors(ship, order_of(plots, ship, Sensors))
            yield from _rotations(ship, plots)


def movements(truth: Truth, plots: Plots) -> Iterator[Event]:
    """Yield where every ship ends up; all move at once, so none sees another's move.

    Volleys move later, when the ships stand.
    """
    for ship in truth.in_play():
        if ship.is_remote:
            yield _ended(truth, ship, Flight(*_drift(ship)), 0, 0)
            continue
        if ship.volley is not None:
            continue
        if ship.landing is not None:
            yield from _landed_move(truth, ship, order_of(plots, ship, Lift))
            continue
        land = order_of(plots, ship, Land)
        if land is None:
            yield _flight(truth, ship, plots)
        else:
            yield from _landing(truth, ship, land)


def order_of(plots: Plots, ship: ShipTruth, kind: type[_Kind]) -> _Kind | None:
    """Return the order of that kind given to `ship`, or None."""
    for order in plots.get(ship.id, ()):
        if isinstance(order, kind):
            return order
    return None


def _power(ship: ShipTruth, order: Power | None) -> Iterator[Event]:
    # A plant ordered on works from the next turn's movement; off is at once.
    if order is not None and not order.on:
        if ship.powered or ship.starting:
            yield PowerSwitched(piece=ship.id, powered=False, starting=False)
    elif ship.starting:
        yield PowerSwitched(piece=ship.id, powered=True, starting=False)
    elif order is not None and not ship.powered:
        yield PowerSwitched(piece=ship.id, powered=False, starting=True)


def _cloak(ship: ShipTruth, order: Cloak | None) -> Iterator[Event]:
    wanted = ship.cloaked if order is None else order.on
    if (wanted and ship.can_cloak) is not ship.cloaked:
        yield CloakSwitched(piece=ship.id, on=not ship.cloaked)


def _ecm(ship: ShipTruth, order: Power | None) -> Iterator[Event]:
    if order is not None and order.ecm is not None and order.ecm != ship.ecm_on:
        yield EcmSwitched(piece=ship.id, on=order.ecm)


def _sensors(ship: ShipTruth, order: Sensors | None) -> Iterator[Event]:
    if order is not None and order.out != ship.popped_out:
        yield SensorsSwitched(piece=ship.id, out=order.out)


def _rotations(ship: ShipTruth, plots: Plots) -> Iterator[Event]:
    for order in plots.get(ship.id, ()):
        if isinstance(order, Rotate):
            kind = next(turret.kind for turret in ship.type.turrets if turret.id == order.turret)
            now = next(turret.arcs for turret in ship.turrets if turret.id == order.turret)
            yield TurretRotated(
                piece=ship.id, turret=order.turret, arcs=rotated(kind, now, order.to)
            )


def _flight(truth: Truth, ship: ShipTruth, plots: Plots) -> Event:
    turn = thrust = None
    if ship.id in plots:
        turn, thrust = order_of(plots, ship, Turn), order_of(plots, ship, Thrust)
    steps = 0 if turn is None else turn.steps
    points = () if thrust is None else thrust.to
    start = Flight(ship.square, ship.vector, ship.facing)
    end = flown(truth.board, start, steps, points)
    return _ended(truth, ship, end, len(points), thrust_used(len(points), steps))


def _drift(ship: ShipTruth) -> tuple[Square, Vector, Compass]:
    # OWN: remote sensors are too light for gravity to count.
    return ship.square.moved(ship.vector), ship.vector, ship.facing


def _ended(truth: Truth, ship: ShipTruth, end: Flight, spent: int, used: int) -> Event:
    match ending(truth.board, end.square):
        case MoveEnding.FLIES:
            return ShipMoved(
                piece=ship.id,
                square=end.square,
                vector=end.vector,
                facing=end.facing,
                thrust_spent=spent,
                thrust_used=used,
            )
        case MoveEnding.CRASHES:
            return ShipDestroyed(piece=ship.id, cause="crash", killers=())
        case MoveEnding.ESCAPES:
            return ShipEscaped(piece=ship.id, edge=edge_crossed(truth.board, end.square))


def _landing(truth: Truth, ship: ShipTruth, order: Land) -> Iterator[Event]:
    for planet in truth.board.planets:
        for environs in planet.environs:
            if planet.name == order.body and environs.number == order.environs:
                landing = Landing(
                    body=planet.name,
                    sector=environs.sector,
                    environs=environs.number,
                    cell=order.cell,
                )
                yield ShipLanded(
                    piece=ship.id,
                    landing=landing,
                    square=outward_square(planet, environs.sector),
                    thrust_spent=PLANET_LANDING_THRUST,
                )
    for asteroid in truth.board.asteroids:
        if asteroid.name == order.body and order.sector is not None:
            landing = Landing(body=asteroid.name, sector=order.sector)
            yield ShipLanded(piece=ship.id, landing=landing, square=asteroid.at, thrust_spent=0)


def _landed_move(truth: Truth, ship: ShipTruth, order: Lift | None) -> Iterator[Event]:
    if order is None or ship.landing is None:
        yield ShipMoved(
            piece=ship.id,
            square=ship.square,
            vector=Vector(0, 0),
            facing=ship.facing,
            thrust_spent=0,
            thrust_used=0,
        )
        return
    start = lift_off(truth.board, ship.landing)
    yield ShipLifted(
        piece=ship.id,
        square=start.square,
        facing=start.facing,
        thrust_spent=LIFT_OFF_THRUST,
    )
