"""A side's own pieces after the open window has closed with certain orders.

Source: none of its own; movement, sensors §5 and turn §5; the order of a PLOT, turn §4; volleys,
turn §6. Orders are taken as they are: what they may be is looked at in `check`.

Only own and public facts count, so this holds wherever neither dice nor enemies have a say. They
have in what is launched, in what agents do, in whom an enemy sees, and in DETECT and ENGAGE as a
whole. What else works when a plant starts is not known before it runs.
"""

import msgspec

from sunglare_protocol.orders import (
    Aim,
    Land,
    Launch,
    Lift,
    Order,
    Power,
    Rotate,
    Scan,
    Sensors,
    Thrust,
    Turn,
)
from sunglare_protocol.orders.agents import NOWHERE, Stand
from sunglare_protocol.views import HabitView, OwnView, TurretView, View, VolleyView
from sunglare_protocol.words.armament import Launchable
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.pieces import Arc, PieceKind
from sunglare_rules.advice.check.scan import centre_named
from sunglare_rules.advice.odds.after_ground import unit_after
from sunglare_rules.advice.seen.plotting import (
    after_plot,
    cloaked_in_movement,
    deployed,
    first_of,
    landing_of,
    orders_of,
    powered_in_movement,
)
from sunglare_rules.arcs.turrets import firing_arcs, rotated
from sunglare_rules.blips.ecm import has_jammer
from sunglare_rules.blips.in_space import Condition, working
from sunglare_rules.fire.missiles import next_aim
from sunglare_rules.sensors.scans import ScanHabit, habit_after
from sunglare_rules.turn.movement import (
    LIFT_OFF_THRUST,
    PLANET_LANDING_THRUST,
    MoveEnding,
    ending,
    thrust_used,
)

_replace = msgspec.structs.replace

_FATES = {MoveEnding.CRASHES: Fate.DESTROYED, MoveEnding.ESCAPES: Fate.ESCAPED}
"""The fate of a piece whose move ends in a body or off the map."""

_COLD = Condition(powered=False)
"""The state in which a ship whose plant is off has its abilities; those lost are gone already."""


def after(view: View, orders: tuple[Order, ...]) -> View:
    """Return the view with the own side as it will be; all that is foreign is left as it stands.

    After a PLOT the view is that of the own SCAN slot. A ship that crashes or leaves the map stays
    in it where it was, with that fate.
    """
    match view.stage.phase:
        case Phase.PLOT:
            own = tuple([_plotted(view, ship, orders) for ship in view.own])
            stage = _replace(view.stage, phase=Phase.SCAN)
            moved = _replace(view, stage=stage, own=own, zone=(), areas=())
            units = tuple([unit_after(moved, unit, orders) for unit in view.ground])
            return _replace(moved, ground=units)
        case Phase.SCAN:
            return _replace(view, own=tuple([_scanned(view, ship, orders) for ship in view.own]))
        case Phase.DETECT | Phase.ENGAGE | Phase.OVER:
            return view


def scanning(view: View, orders: tuple[Order, ...]) -> View:
    """Return the view from which a scan can be made next: of a PLOT the one after its orders."""
    return after(view, orders) if view.stage.phase is Phase.PLOT else view


def _plotted(view: View, ship: OwnView, orders: tuple[Order, ...]) -> OwnView:
    """Return an own piece after a PLOT."""
    if ship.fate is not Fate.IN_PLAY:
        return ship
    mine = orders_of(ship, orders)
    flight = after_plot(view, ship, mine)
    here = ship if ship.kind is PieceKind.REMOTE else _switched(ship, mine)
    end = ending(view.board, flight.square)
    if end is not MoveEnding.FLIES:
        return _replace(here, fate=_FATES[end])
    moved = _replace(here, square=flight.square, vector=flight.vector, facing=flight.facing)
    if ship.volley is not None:
        return _replace(moved, volley=_steered(ship, ship.volley, mine))
    return _launched(_worked(view, moved, mine), mine)


def _switched(ship: OwnView, mine: tuple[Order, ...]) -> OwnView:
    """Return a ship deployed, and switched as it is before anything moves."""
    here = deployed(ship, mine)
    cloaked, sensors = cloaked_in_movement(ship, mine), first_of(Sensors, mine)
    out = here.popped_out and (here.cloaked or not cloaked)
    if sensors is not None and sensors.out is not here.popped_out:
        out = sensors.out
    turrets = tuple([_rotated(turret, mine) for turret in ship.turrets])
    stand = first_of(Stand, mine)
    bound_for = ship.bound_for if stand is None else stand.bound_for or ship.bound_for
    return _replace(
        _powered(here, mine),
        cloaked=cloaked,
        popped_out=out,
        turrets=turrets,
        firing_arcs=_firing_arcs(ship, turrets),
        bound_for=None if bound_for == NOWHERE else bound_for,
    )


def _powered(ship: OwnView, mine: tuple[Order, ...]) -> OwnView:
    """Return a ship with plant and jammer as its orders switch them."""
    order, runs = first_of(Power, mine), powered_in_movement(ship, mine)
    starts = order is not None and order.on and not (ship.powered or ship.starting)
    specials = ship.specials if runs or not ship.powered else working(ship.specials, _COLD)
    ecm = ship.ecm if order is None or order.ecm is None else order.ecm
    if ship.ecm is None or not has_jammer(specials):
        ecm = None
    return _replace(ship, powered=runs, starting=starts, specials=specials, ecm=ecm)


def _rotated(turret: TurretView, mine: tuple[Order, ...]) -> TurretView:
    for order in mine:
        if isinstance(order, Rotate) and order.turret == turret.id:
            return _replace(turret, arcs=rotated(turret.kind, turret.arcs, order.to))
    return turret


def _firing_arcs(ship: OwnView, turrets: tuple[TurretView, ...]) -> tuple[Arc, ...]:
    pointing = {turret.id: turret.arcs for turret in turrets}
    working_ones = [weapon for weapon in ship.weapons if weapon.works]
    return firing_arcs(
        [weapon.arc for weapon in working_ones if weapon.arc is not None],
        [pointing[weapon.turret] for weapon in working_ones if weapon.turret is not None],
    )


def _worked(view: View, ship: OwnView, mine: tuple[Order, ...]) -> OwnView:
    """Return a ship that has moved with what its move cost, and landed if that was its move."""
    land = first_of(Land, mine)
    landing = None if land is None or ship.landed is not None else landing_of(view.board, land)
    if landing is not None:
        spent = 0 if landing.environs is None else PLANET_LANDING_THRUST
        return _replace(ship, landed=landing, popped_out=False, thrust_spent=spent, thrust_used=0)
    if ship.landed is not None:
        lifts = first_of(Lift, mine) is not None
        spent = LIFT_OFF_THRUST if lifts else 0
        landed = None if lifts else ship.landed
        return _replace(ship, landed=landed, thrust_spent=spent, thrust_used=spent)
    turn, thrust = first_of(Turn, mine), first_of(Thrust, mine)
    spent, steps = 0 if thrust is None else len(thrust.to), 0 if turn is None else turn.steps
    return _replace(ship, thrust_spent=spent, thrust_used=thrust_used(spent, steps))


def _launched(ship: OwnView, mine: tuple[Order, ...]) -> OwnView:
    """Return a ship without the fighters that it has launched; on a body it launches none."""
    gone = sum(
        isinstance(order, Launch) and order.what is Launchable.FIGHTER
        for order in mine
        if ship.landed is None
    )
    return _replace(ship, flights=ship.flights - gone)


def _steered(ship: OwnView, volley: VolleyView, mine: tuple[Order, ...]) -> VolleyView:
    order = first_of(Aim, mine)
    aim = next_aim(ship.square, volley.aim, None if order is None else order.at)
    return _replace(volley, aim=aim, movements=volley.movements + 1)


def _scanned(view: View, ship: OwnView, orders: tuple[Order, ...]) -> OwnView:
    """Return a ship with the scan to remember that it makes, if it makes one."""
    order = first_of(Scan, orders_of(ship, orders))
    at = None if order is None else centre_named(view.board, order.size, order.at)
    if order is None or at is None:
        return ship
    old = None if ship.habit is None else ScanHabit(**msgspec.structs.asdict(ship.habit))
    made = habit_after(old, view.stage.turn, ship.square, order.type, order.size, at)
    return _replace(ship, habit=HabitView(**msgspec.structs.asdict(made)))
