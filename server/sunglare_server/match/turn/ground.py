"""Resolves a closed window on the ground: the resolvers in the order of the turn.

Source: turn sequence of our rule book, turn §4; blips §3.1.
"""

from collections.abc import Iterable

from sunglare_protocol.ids import audience_of
from sunglare_protocol.orders import Fire, Launch, Power, Probe
from sunglare_protocol.orders.ground import Move, Station
from sunglare_server.match.events.capital import BatteryFired, PointStruck
from sunglare_server.match.events.ground import GroundShotFired
from sunglare_server.match.events.space import Event
from sunglare_server.match.ids import PieceId
from sunglare_server.match.resolve import ground as surface
from sunglare_server.match.resolve import ground_fire, ground_moves, ground_remotes
from sunglare_server.match.resolve import ground_probing as surface_probing
from sunglare_server.match.resolve.ground import Shows
from sunglare_server.match.resolve.ground_fire import GroundAttack
from sunglare_server.match.resolve.ground_remotes import Sowings
from sunglare_server.match.resolve.probing import Request
from sunglare_server.match.state import MatchState
from sunglare_server.match.turn.flow import Flow
from sunglare_server.match.turn.given import given, pieces_behind


def station(flow: Flow) -> None:
    """Put ground units and agents where turn 1 orders them."""
    flow.run(
        ground_moves.stationings(flow.truth, dict(given(flow.state, flow.state.staged, Station)))
    )


def switch(flow: Flow) -> None:
    """Switch the jammers of ground units."""
    flow.run(ground_moves.switches(flow.truth, dict(given(flow.state, flow.state.staged, Power))))


def move(flow: Flow) -> None:
    """Move the ground units, after the ships, and let every side see what it now sees."""
    orders = dict(given(flow.state, flow.state.staged, Move))
    before = flow.truth
    moves = flow.run(ground_moves.movements(before, orders))
    wanted = frozenset(piece for piece, order in orders.items() if order.token)
    flow.run(ground_remotes.sowings(flow.truth, _launches(flow.state)))
    shows = surface.uncovered(before, flow.truth, moves, wanted)
    flow.run(surface.uncoverings(shows))
    look(flow, shows)
    flow.run(surface.spottings(flow.truth))


def silence(flow: Flow) -> None:
    """End the remote sensors that enemies touch."""
    flow.run(ground_remotes.contacts(flow.truth))


def look(flow: Flow, shows: Shows | None = None) -> None:
    """Let every side's maps and tokens be what its pieces on the ground see now."""
    truth = flow.truth
    if truth.has_surface:
        flow.run(surface.endings(flow.truth))
        flow.run(surface.maps(flow.truth))
        flow.run(surface.gains(flow.truth, shows or {}))


def attack(
    flow: Flow, shelled: tuple[BatteryFired, ...] = (), firing: tuple[PieceId, ...] = ()
) -> tuple[GroundShotFired, ...]:
    """Fire all weapons on the ground, report what they give away and do the damage.

    `shelled` is fire into space, which also shows who fires it; `firing` names a piece once for
    each weapon that it fires at anything but a token.
    """
    calm = flow.truth
    fired = tuple(ground_fire.shots(calm, _attacks(flow.state), flow.dice))
    # One run: who sees an attack does not depend on what it does.
    flow.run(
        (
            *fired,
            *ground_fire.reveals(calm, fired, shelled),
            *ground_fire.damages(calm, fired),
            *ground_fire.heats(calm, fired, firing),
        )
    )
    return fired


def credited(
    flow: Flow,
    events: Iterable[Event],
    fired: tuple[GroundShotFired, ...],
    shelled: tuple[BatteryFired, ...] = (),
    struck: tuple[PointStruck, ...] = (),
) -> tuple[Event, ...]:
    """Return the events with those ships' destroyers named whose attacks came from the ground.

    So are those whose fire at a point did it.
    """
    return tuple(
        ground_fire.with_killers(flow.truth, event, fired, shelled, struck) for event in events
    )


def probe(flow: Flow) -> None:
    """Answer the requests for data of tokens."""
    flow.run(surface_probing.probes(flow.truth, _requests(flow.state)))


def _requests(state: MatchState) -> tuple[Request, ...]:
    requests: list[Request] = []
    for side in state.staged:
        behind = pieces_behind(state.intel[audience_of(side)].tokens)
        asked = given(state, (side,), Probe)
        requests.extend(
            Request(piece, behind[order.at]) for piece, order in asked if order.at in behind
        )
    return tuple(requests)


def _launches(state: MatchState) -> Sowings:
    """Return the launches that were staged for the window, by piece; there may be several."""
    found: dict[PieceId, tuple[Launch, ...]] = {}
    for piece, order in given(state, state.staged, Launch):
        found[piece] = (*found.get(piece, ()), order)
    return found


def _attacks(state: MatchState) -> tuple[GroundAttack, ...]:
    attacks: list[GroundAttack] = []
    for side in state.staged:
        behind = pieces_behind(state.intel[audience_of(side)].tokens)
        for shooter, order in given(state, (side,), Fire):
            target = None if order.at is None else behind.get(order.at)
            if target is not None and shooter in state.truth.ground:
                attacks.append(GroundAttack(shooter, order.weapon, target))
    return tuple(attacks)
