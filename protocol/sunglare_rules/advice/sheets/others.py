"""The orders of a sheet that no list has: examples, and the forms of them that `legal` leaves out.

Source: none of its own; whatever comes from here is allowed by `check`.
"""

from collections.abc import Iterator

from msgspec.structs import asdict, replace

from sunglare_protocol.geometry import Compass, Landing, Square
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import (
    NOWHERE,
    Bombard,
    Defend,
    Deploy,
    Fire,
    Land,
    Launch,
    Order,
    Power,
    Scan,
    Sensors,
    Stand,
    Thrust,
    Turn,
)
from sunglare_protocol.orders.agents import Mission, Search, StepOrder
from sunglare_protocol.orders.ground import Move, Path, Station
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.views.ground import AgentView, GroundView
from sunglare_protocol.words.armament import DefencePolicy, Launchable, SystemAim
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.search import Strike
from sunglare_rules.advice.check.bombard import DESIGNATORS
from sunglare_rules.advice.check.check import takes
from sunglare_rules.advice.check.ground import stationed
from sunglare_rules.advice.legal.legal import examples
from sunglare_rules.advice.plans.landing_cell import landing_cell
from sunglare_rules.advice.seen.agents import free_agents
from sunglare_rules.advice.seen.plotting import first_of, orders_of
from sunglare_rules.advice.sheets.beside import Plan, standing
from sunglare_rules.advice.sheets.ground import cells_of
from sunglare_rules.ground.paths import beside
from sunglare_rules.sensors.sectors import outward_square

Piece = OwnView | GroundView | AgentView


def other_orders(view: View, piece: Piece, plan: Plan) -> Plan:
    """Return the orders to a piece that no list of its sheet has, each with those of the plan.

    A standing order keeps what the plan's order to the same piece has set.
    """
    found = [order for order in examples(view, piece.id) if not _is_listed(order)]
    found += _searches(view, piece)
    if view.stage.phase is Phase.PLOT:
        found += _plotted(view, piece, plan)
    elif isinstance(piece, GroundView):
        found += _points(view, piece)
    joined = [_joined(order, plan) if isinstance(order, Stand) else order for order in found]
    allowed = standing(view, plan, dict.fromkeys(joined))
    forms = standing(view, plan, [form for order in allowed for form in _forms(view, order)])
    return tuple(dict.fromkeys((*allowed, *forms)))


def starts(view: View, ship: OwnView, plan: Plan, square: Square | None) -> Plan:
    """Return deployments on bodies; and at `square`, if given, those cloaked and not.

    The latter are examples for all squares. All take the place of the ship's course, those on
    bodies also that of an order to its sensors, which a landed ship keeps folded.
    """
    if not takes(view, Deploy):
        return ()
    own, facing = ship.id, ship.facing
    begun = tuple([one for one in orders_of(ship, plan) if not isinstance(one, Turn | Thrust)])
    blind = tuple([one for one in begun if not isinstance(one, Sensors)])
    states: list[Deploy] = []
    if square is not None and ship.cloak:
        states = [
            Deploy(ship=own, at=square, facing=facing, cloaked=cloaked)
            for cloaked in (True, False)
        ]
    landed = [
        Deploy(ship=own, at=at, facing=facing, landed=landing) for at, landing in _landings(view)
    ]
    return (*standing(view, begun, states), *standing(view, blind, landed))


def remotes(piece: OwnView | GroundView, orders: Plan) -> int:
    """Return how many remote sensors a piece may launch, if `orders` have one."""
    sows = any(isinstance(one, Launch) and one.what is Launchable.REMOTE for one in orders)
    return piece.dispensers if sows else 0


def shown_as_token(view: View, unit: GroundView, plan: Plan, walks: tuple[Path, ...]) -> Plan:
    """Return a walk of a hidden unit that turns it into a token, as an example for all walks."""
    if not walks or not stationed(unit, plan).hidden:
        return ()
    return standing(view, plan, [Move(ship=unit.id, path=walks[0], token=True)])


def _is_listed(order: Order) -> bool:
    match order:
        case Fire():
            return order.system is None and order.point is None
        case Move():
            return bool(order.path)
        case Station():
            return order.cell is not None
        case Deploy() | Turn() | Thrust() | Scan() | Bombard() | Mission() | Search():
            return True
        case _:
            return isinstance(order, StepOrder)


def _forms(view: View, order: Order) -> Iterator[Order]:
    """Yield other forms of an example: systems of a target, a better cell for those aboard."""
    match order:
        case Fire(system=SystemAim.DRIVE):
            yield from (replace(order, system=system) for system in SystemAim)
        case Defend():
            yield from (replace(order, policy=policy) for policy in DefencePolicy)
        case Land():
            cell = landing_cell(view, order)
            if cell is not None:
                yield replace(order, cell=cell)
        case _:
            return


def _searches(view: View, piece: Piece) -> Iterator[Search]:
    """Yield searches for each strike, under the best leader and under each that there may be."""
    if not takes(view, Search):
        return
    leaders = [agent.id for agent in free_agents(view) if agent.stacked is not None]
    for leader in (None, *leaders):
        for strike in Strike:
            yield Search(ship=piece.id, leader=leader, strike=strike)


def _plotted(view: View, piece: Piece, plan: Plan) -> Iterator[Order]:
    match piece:
        case OwnView():
            yield Thrust(ship=piece.id, to=())
            runs = piece.powered or piece.starting
            yield Power(ship=piece.id, on=not runs, ecm=not piece.ecm)
        case GroundView():
            yield from _longer_paths(view, piece, plan)
            yield from _strikes(view)
        case AgentView():
            yield from _agent_starts(view, piece)
            yield from _stances(view, piece, plan)
            yield from _strikes(view)


def _landings(view: View) -> Iterator[tuple[Square, Landing]]:
    """Yield where a ship is that is landed on a body, and how it stands there."""
    for planet in view.board.planets:
        for place in planet.environs:
            landed = Landing(body=planet.name, sector=place.sector, environs=place.number)
            yield outward_square(planet, place.sector), landed
    for asteroid in view.board.asteroids:
        for sector in Compass:
            yield asteroid.at, Landing(body=asteroid.name, sector=sector)


def _longer_paths(view: View, unit: GroundView, plan: Plan) -> Iterator[Move]:
    """Yield a unit's planned path with one cell more, so that any path may be planned."""
    move = first_of(Move, tuple([order for order in plan if order.ship == unit.id]))
    environs = None if unit.site is None else view.board.environs_at(unit.site)
    if move is None or environs is None or not move.path or move.jump:
        return
    for cell in beside(environs, move.path[-1]):
        yield replace(move, path=(*move.path, cell))


def _points(view: View, unit: GroundView) -> Iterator[Fire]:
    """Yield the designations of every cell of a unit's map."""
    environs = None if unit.site is None else view.board.environs_at(unit.site)
    for special in unit.specials:
        if environs is not None and special.value in DESIGNATORS:
            for cell in cells_of(environs):
                yield Fire(ship=unit.id, weapon=special.value, point=cell)


def _agent_starts(view: View, agent: AgentView) -> Iterator[Station]:
    """Yield where an agent may start elsewhere than at home, alone or with troops."""
    if not takes(view, Station) or view.stage.turn != 1:
        return
    for site in dict.fromkeys([area.site for area in view.areas]):
        yield Station(ship=agent.id, at=site)
        yield from (Station(ship=agent.id, at=site, stacked=unit.id) for unit in view.ground)


def _stances(view: View, agent: AgentView, plan: Plan) -> Iterator[Stand]:
    """Yield whom an agent's group hides by, and who is wounded next after those of the plan."""
    given = first_of(Stand, tuple([order for order in plan if order.ship == agent.id]))
    wounded = (given.wounds or ()) if given is not None else ()
    mates = [other.id for other in free_agents(view)]
    for hider in (*mates, OwnId(NOWHERE)):
        yield Stand(ship=agent.id, hides_by=hider)
    yield Stand(ship=agent.id, wounds=())
    for mate in mates:
        if mate not in wounded:
            yield Stand(ship=agent.id, wounds=(*wounded, mate))


def _strikes(view: View) -> Iterator[Stand]:
    """Yield the standing orders of the whole side, which any agent or unit may give."""
    for strike in Strike:
        yield Stand(ship=OwnId(str(view.audience)), strike=strike)


def _joined(order: Stand, plan: Plan) -> Stand:
    given = first_of(Stand, tuple([one for one in plan if one.ship == order.ship]))
    if given is None:
        return order
    new = {name: value for name, value in asdict(order).items() if value is not None}
    return replace(given, **new)
