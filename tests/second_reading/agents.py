"""What the rules let an audience learn of agents and searches, worked out a second time.

A reading of search §3 apart from the server's: it takes what happened as it happened, and knows
nothing of how it is told.
"""

from collections.abc import Iterator

from second_reading.parts import is_public_of_two
from sunglare_protocol.ids import PUBLIC, Audience, Side
from sunglare_server.match.events import agents as events
from sunglare_server.match.events.space import Event, PointsScored
from sunglare_server.match.ids import PieceId
from sunglare_server.match.truth.truth import Truth

OWN = (
    events.FlagSet,
    events.FlagCleared,
    events.StepFailed,
    events.AgentStranded,
    events.AgentKilled,
    events.AgentFreed,
)
"""What befalls a piece and its owner alone is told."""


def agents_known(truth: Truth, audience: Audience) -> object:
    """Return what the audience has been told of agents as things stand."""
    search, found = truth.search, list[object]()
    if audience == PUBLIC:
        if len(truth.sides) == 2:
            found += [search.alerts, sorted(search.near_ships.items())]
        return found
    side = Side(audience)
    found += [alert for alert in search.alerts if alert.owner != side]
    found += [search.near_ships.get(side), search.strike_of(side)]
    found += [plan for plan in search.plans if plan.side == side]
    found += [(ship.detected, ship.bound_for) for ship in truth.ships_of(side)]
    carried = [item for item in search.items.values() if item.carrier is not None]
    found += [item for item in carried if _side(item.carrier) == side]
    return found


def agents_told(truth: Truth, happened: tuple[Event, ...], audience: Audience) -> Iterator[object]:
    """Yield what the events of a window tell the audience of agents and searches."""
    for event in happened:
        if isinstance(event, events.AlertRaised | events.AlertEnded):
            if _hears_of_alert(truth, event, audience):
                yield type(event), event.alert
        elif isinstance(event, events.ShipAlertRaised | events.ShipAlertEnded):
            if str(event.side) == str(audience) or is_public_of_two(truth, audience):
                yield type(event), event.piece
        elif audience != PUBLIC:
            yield from _side_told(truth, event, Side(audience))


def _hears_of_alert(
    truth: Truth, event: events.AlertRaised | events.AlertEnded, audience: Audience
) -> bool:
    if audience == PUBLIC:
        return len(truth.sides) == 2
    return str(event.alert.owner) != str(audience)


def _side_told(truth: Truth, event: Event, side: Side) -> Iterator[object]:
    if isinstance(event, OWN):
        if _side(event.piece) == side:
            yield event
        if isinstance(event, events.AgentKilled) and side in event.killers:
            yield "killed", truth.agents[event.piece].name
    elif isinstance(event, PointsScored):
        if event.side == side and event.is_known:
            yield event
    elif isinstance(event, events.SearchTried | events.FightFought):
        yield from _hunt_told(truth, event, side)
    else:
        yield from _deed_told(truth, event, side)


def _hunt_told(
    truth: Truth, event: events.SearchTried | events.FightFought, side: Side
) -> Iterator[object]:
    if side not in (event.side, event.owner):
        return
    # Without anybody left to search there is no search (search §4): its owner alone asked for it.
    if isinstance(event, events.SearchTried) and event.value < 1 and event.side != side:
        return
    yield event.side, event.owner, event.site
    if isinstance(event, events.FightFought):
        yield event.outcome, event.soldier, event.soldiers, event.lost
        for group in (event.sent, event.fallen, event.escaped):
            yield [truth.agents[piece].name for piece in group]
        return
    yield event.found, event.mission is None
    if event.side == side:
        yield event.value
    for piece in event.group if event.found else ():
        agent = truth.agents[piece]
        yield agent.name, agent.combat, agent.endurance


def _deed_told(truth: Truth, event: Event, side: Side) -> Iterator[object]:
    if isinstance(event, events.MissionTried) and event.plan.side == side:
        yield event.plan, event.success
    elif isinstance(event, events.UnitsSpied) and event.side == side:
        yield [truth.ground[piece] for piece in event.units]
        yield [truth.agents[leader].name for leader in event.leaders]
    elif isinstance(event, events.UnitSabotaged) and truth.ground[event.piece].side == side:
        yield event.piece, event.damage, event.silent_turn
    else:
        yield from _thing_told(truth, event, side)


def _thing_told(truth: Truth, event: Event, side: Side) -> Iterator[object]:
    concerned = ""
    if isinstance(event, events.ItemTaken):
        concerned = _side(event.carrier)
    elif isinstance(event, events.ItemDropped):
        concerned = _side(truth.search.items[event.item].carrier)
    elif isinstance(event, events.Delivered):
        concerned = event.side
    if concerned == side:
        yield event


def _side(piece: PieceId | None) -> str:
    return "" if piece is None else piece.partition("/")[0]
