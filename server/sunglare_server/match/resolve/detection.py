"""Detection in a match: what ships' moves, troops and trackings do to flags, and the alerts.

Source: Freedom in the Galaxy 10.1; search of our rule book §2, "Causes", "Closure", "Removal".
"""

from collections.abc import Iterable, Iterator

from sunglare_protocol.ids import Side
from sunglare_protocol.orders.agents import NOWHERE, OFF_MAP, Stand
from sunglare_protocol.words.ladder import Fix
from sunglare_protocol.words.search import Cause
from sunglare_rules.search.agents import Aboard, InOrbit, Scene
from sunglare_rules.search.detection import (
    Bound,
    VesselMove,
    alerts,
    closed,
    exposed,
    tracked,
    vessels_moved,
    without,
)
from sunglare_server.match.events.agents import (
    AgentEvent,
    AgentStranded,
    AlertEnded,
    AlertRaised,
    BoundFor,
    ShipAlertEnded,
    ShipAlertRaised,
    StanceTaken,
    StrikeChosen,
)
from sunglare_server.match.ids import PieceId, piece_id
from sunglare_server.match.kinds import Stance
from sunglare_server.match.resolve.agents_scene import (
    detected_scene,
    flags,
    place_of_ship,
    scene_of,
)
from sunglare_server.match.truth.agents import AgentTruth
from sunglare_server.match.truth.truth import ShipTruth, Truth


def standing_orders(truth: Truth, side: Side, orders: Iterable[Stand]) -> Iterator[AgentEvent]:
    """Yield the standing orders that a side gives to itself, its ships and its agents."""
    for order in orders:
        piece = piece_id(side, order.ship)
        if order.strike is not None and order.ship == str(side):
            yield StrikeChosen(side=side, strike=order.strike)
        elif piece in truth.ships and order.bound_for is not None:
            goal = None if order.bound_for == NOWHERE else order.bound_for
            yield BoundFor(piece=piece, planet=goal)
        elif piece in truth.agents:
            yield StanceTaken(piece=piece, stance=_stance(truth.agents[piece], order))


def _stance(agent: AgentTruth, order: Stand) -> Stance:
    now, side = agent.stance, agent.side
    chosen = now.hides_by
    if order.hides_by is not None:
        chosen = None if order.hides_by == NOWHERE else piece_id(side, order.hides_by)
    wounds = now.wounds
    if order.wounds is not None:
        wounds = tuple(piece_id(side, piece) for piece in order.wounds)
    return Stance(
        fight=now.fight if order.fight is None else order.fight, wounds=wounds, hides_by=chosen
    )


def closures(truth: Truth) -> Iterator[AgentEvent]:
    """Yield how far detection spreads as all stand now."""
    scene = scene_of(truth)
    yield from flags(scene, closed(scene))


def flights(scene: Scene, after: Truth) -> Iterator[AgentEvent]:
    """Yield what all moves of the ships of a turn, taken as one step, do to flags.

    `scene` is how all stood before, `after` the truth when the ships have moved.
    """
    stood = {vessel.name: vessel.at for vessel in scene.vessels}
    gone = [name for name in stood if not after.ships[PieceId(name)].in_play]
    start = without(scene, gone) if gone else scene
    moves = [
        VesselMove(ship.id, there, _bound(ship))
        for ship in after.in_play()
        if ship.id in stood and (there := place_of_ship(after, ship)) != stood[ship.id]
    ]
    yield from flags(start, vessels_moved(start, moves))


def _bound(ship: ShipTruth) -> Bound | None:
    if ship.bound_for is None:
        return None
    return Bound(planet=None if ship.bound_for == OFF_MAP else ship.bound_for)


def strays(truth: Truth) -> Iterator[AgentStranded]:
    """Yield agents whose troops are not there any more. OWN: they stay in the environs."""
    for agent in truth.agents.values():
        if agent.stacked is None or not agent.in_play:
            continue
        unit = truth.ground[agent.stacked]
        if unit.is_remote or not unit.in_play or unit.site != agent.site:
            yield AgentStranded(piece=agent.id)


def trackings(truth: Truth) -> Iterator[AgentEvent]:
    """Yield what trackings of agent spaceships in orbit boxes do to flags.

    A contact on a live track in this turn's SCAN is one, and so is a fire control solution.
    """
    # Detection has spread after all moves and steps, so where no flag is set nothing changes.
    unseen = _unseen(truth)
    found = dict.fromkeys((*_tracked(truth), *_solved(truth))) if unseen else {}
    if any(ship.id in found for ship in unseen):
        scene = scene_of(truth)
        yield from flags(scene, tracked(scene, *found), dict.fromkeys(found, Cause.TRACKED))


def _unseen(truth: Truth) -> list[ShipTruth]:
    """Return the agent spaceships in orbit boxes that are not detected."""
    secret = [ship for ship in truth.in_play() if ship.type.agent_spaceship and not ship.detected]
    return [ship for ship in secret if isinstance(place_of_ship(truth, ship), InOrbit)]


def _tracked(truth: Truth) -> Iterator[PieceId]:
    for side in truth.sides:
        for piece, hold in truth.holds[side].items():
            if hold.fix is Fix.TRACKED and hold.contacted and truth.ships[piece].in_play:
                yield piece


def _solved(truth: Truth) -> Iterator[PieceId]:
    for side in truth.sides:
        for hunt in truth.hunts_of(side).values():
            ship = truth.ships[hunt.piece]
            if ship.in_play and truth.hunt_fix(side, ship) is Fix.SOLUTION:
                yield ship.id


def exposures(truth: Truth, agents: Iterable[PieceId]) -> Iterator[AgentEvent]:
    """Yield what it does to flags that an event of a mission detected these agents."""
    named = tuple(agents)
    scene = scene_of(truth)
    yield from flags(scene, exposed(scene, named), dict.fromkeys(named, Cause.MISSION))


def alert_changes(truth: Truth) -> Iterator[AgentEvent]:
    """Yield the alerts that have begun and ended since this was last asked."""
    stand = alerts(detected_scene(truth))
    places = tuple(alert for alert in stand if not isinstance(alert.place, Aboard))
    for alert in truth.search.alerts:
        if alert not in places:
            yield AlertEnded(alert=alert)
    for place in places:
        if place not in truth.search.alerts:
            yield AlertRaised(alert=place)
    ships = [PieceId(alert.place.vessel) for alert in stand if isinstance(alert.place, Aboard)]
    yield from _near_ships(truth, tuple(ships))


def _near_ships(truth: Truth, ships: tuple[PieceId, ...]) -> Iterator[AgentEvent]:
    # Only a side that holds a live track of a ship learns that agents are near it.
    for side in truth.sides:
        holds, told = truth.holds[side], truth.search.near_ships.get(side, ())
        near = tuple(ship for ship in ships if ship in holds and holds[ship].fix is Fix.TRACKED)
        for ship in told:
            if ship not in near:
                yield ShipAlertEnded(piece=ship, side=side)
        for ship in near:
            if ship not in told:
                yield ShipAlertRaised(piece=ship, side=side)
