"""Resolves each closed window: the resolvers in the order of the turn.

Theory of operation. Here the order of resolution is the rule. Each line of the functions below is
one run of events: its resolver sees the truth that the lines above have made, and what happens in
one run happens at once.

- PLOT: ships are set up before they move, and what is switched is switched before, so that a
  cloak, a sensor or a jammer works for the whole movement. Uncloaking ships are shown after all
  have moved, where they then are. Launches come after the moves of their ships, volleys move last.
  Ground units move when the ships have, for a ship may have brought them; agents step after the
  troops that they go with.
- SCAN: slot by slot, against the order of initiative, and scan by scan: each is public at once.
  After the last slot tracks are renewed, and eyes identify what is in sight.
- DETECT: all that sweep are declared, then sweeps in the order of initiative, each finding before
  the next; then all ships listen; the trackers count what both have found. Requests for data
  come last, and are made of what is held by then.
- ENGAGE: attacks are simultaneous. Everything is fired on the truth before any damage, and who
  sees a shot is decided in the same run; then comes damage, then what it breaks, then what is
  destroyed, which still has fired. Searches follow, by the troops that are left. Heat, contacts of
  remotes, the ends of hunts and lost tracks follow from what is there then. Last come the
  turn's end, the occupation of environs, and the points that count at the end of the match.

Source: turn sequence of our rule book §4.
"""

import msgspec

from sunglare_protocol.ids import audience_of
from sunglare_protocol.messages.replies import Ending
from sunglare_protocol.orders import Defend, DetectOrder, Fire, PlotOrder, Probe, Scan
from sunglare_protocol.words.armament import DefencePolicy
from sunglare_protocol.words.cloak import TrackerMode
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.cloak.sweeps import is_jammed
from sunglare_server.match.clock.phases import Standing, end_phase, with_initiative
from sunglare_server.match.events.capital import BatteryFired
from sunglare_server.match.events.space import ShotFired, TurnEnded
from sunglare_server.match.ids import PieceId, hunted_piece, piece_id
from sunglare_server.match.resolve import (
    capital_fire,
    cloak,
    collecting,
    defending,
    firing,
    ground_fire,
    launching,
    losses,
    movement,
    occupation,
    probing,
    remotes,
    scanning,
    scoring,
    special_weapons,
    spotting,
    sweeping,
    volleys,
)
from sunglare_server.match.resolve.firing import Attack
from sunglare_server.match.resolve.initiative import initiative
from sunglare_server.match.resolve.probing import Request
from sunglare_server.match.state import MatchState
from sunglare_server.match.turn import agents, capital, ground, held_weapons
from sunglare_server.match.turn.flow import Flow
from sunglare_server.match.turn.given import given, pieces_behind


def resolve_window(flow: Flow) -> None:
    """Resolve the open window of the flow's state with the orders staged for it."""
    match flow.state.standing.phase:
        case Phase.PLOT:
            _plot(flow)
        case Phase.SCAN:
            _scan(flow)
        case Phase.DETECT:
            _detect(flow)
        case Phase.ENGAGE:
            _engage(flow)
        case Phase.OVER:
            pass
    # The alerts were sent at the end of the last window: where nothing has happened they stand.
    if flow.events:
        agents.tell(flow)


def next_standing(flow: Flow) -> Standing:
    """Return where the match stands after the window; a new turn draws its initiative."""
    standing = flow.state.standing
    if standing.out != flow.truth.out:
        standing = msgspec.structs.replace(standing, out=flow.truth.out)
    if ending_of(flow) is not None:
        return standing
    after = end_phase(standing)
    return begin_turn(flow, after) if standing.phase is Phase.ENGAGE else after


def begin_turn(flow: Flow, standing: Standing) -> Standing:
    """Draw the initiative of a new turn and return where the match stands then."""
    drawn = initiative(flow.truth, standing.turn, flow.dice)
    flow.run([drawn])
    return with_initiative(standing, drawn.order)


def ending_of(flow: Flow) -> Ending | None:
    """Return why the match ends now, after a whole turn; None if it goes on."""
    standing = flow.state.standing
    if standing.phase is not Phase.ENGAGE:
        return None
    playing = tuple([side for side in flow.state.playing if side not in flow.truth.out])
    if len(playing) <= 1:
        return Ending.LAST_SIDE
    if occupation.is_occupied(flow.truth, flow.state.scenario, playing):
        return Ending.OCCUPIED
    if losses.is_decided(flow.truth, flow.state.scenario):
        return Ending.PIECE_LOST
    return Ending.TURNS if standing.turn >= standing.turns else None


def _plot(flow: Flow) -> None:
    plots = _plots(flow.state)
    flow.run(movement.deployments(flow.truth, plots))
    ground.station(flow)
    agents.prepare(flow)
    switched = flow.run(movement.switches(flow.truth, plots))
    ground.switch(flow)
    start = agents.standing(flow)
    flow.run(movement.movements(flow.truth, plots))
    flow.run(collecting.collected(flow.truth, flow.state.scenario))
    flow.run(cloak.uncloakings(flow.truth, switched))
    flow.run(launching.launches(flow.truth, plots, flow.dice))
    flow.run(remotes.launches(flow.truth, plots))
    flow.run(launching.volley_moves(flow.truth, plots))
    ground.move(flow)
    agents.move(flow, start)
    capital.overfly(flow)


def _plots(state: MatchState) -> dict[PieceId, tuple[PlotOrder, ...]]:
    plots: dict[PieceId, tuple[PlotOrder, ...]] = {}
    for side in state.standing.sides:
        for order in state.orders_of(side):
            if isinstance(order, PlotOrder):
                piece = piece_id(side, order.ship)
                plots[piece] = (*plots.get(piece, ()), order)
    return plots


def _scan(flow: Flow) -> None:
    standing = flow.state.standing
    sides = standing.slots if standing.is_sealed else standing.slots[standing.slot :][:1]
    for side in sides:
        for order in flow.state.orders_of(side):
            if isinstance(order, Scan):
                scanner = flow.truth.ships[piece_id(side, order.ship)]
                flow.run(scanning.scan(flow.truth, scanner, order, flow.dice))
    agents.track(flow)
    if end_phase(standing).phase is not Phase.SCAN:
        flow.run(scanning.renewals(flow.truth))
        sensors_work = not is_jammed(flow.truth.jam_end, flow.truth.turn)
        flow.run(spotting.spottings(flow.truth, sensors_work=sensors_work))


def _requests(flow: Flow) -> tuple[Request, ...]:
    # Handles are looked up in what the window has left of the intel so far.
    requests: list[Request] = []
    for side in flow.state.standing.sides:
        behind = pieces_behind(flow.intel[audience_of(side)].held)
        asked = given(flow.state, (side,), Probe)
        requests.extend(
            Request(piece, behind[order.at]) for piece, order in asked if order.at in behind
        )
    return tuple(requests)


def _detect(flow: Flow) -> None:
    state, options, dice = flow.state, flow.state.options, flow.dice
    orders = _detect_orders(state)
    mode = TrackerMode(options.tracker_mode)
    flow.run(cloak.declarations(flow.truth, orders))
    strict = options.sweep_six == "strict"
    swept = flow.run(cloak.sweeps(flow.truth, state.standing.initiative, dice, strict=strict))
    heard = flow.run(cloak.passive_rolls(flow.truth, orders, options, dice))
    flow.run(cloak.steps(flow.truth, (*swept, *heard), mode))
    agents.track(flow)
    if options.cloak_variant == "jam":
        flow.run(cloak.jamming(flow.truth, dice))
    flow.run(probing.probes(flow.truth, _requests(flow)))
    ground.probe(flow)


def _detect_orders(state: MatchState) -> cloak.DetectOrders:
    return {
        piece_id(side, order.ship): order
        for side in state.standing.sides
        for order in state.orders_of(side)
        if isinstance(order, DetectOrder)
    }


def _engage(flow: Flow) -> None:
    novas = _novas(flow.state)
    flow.run(sweeping.novas_fired(flow.truth, novas))
    calm = flow.truth
    fired, shelled = _fired(flow)
    # One run up to the damage: who sees a shot does not depend on what it does.
    drained = tuple(special_weapons.drains(calm))
    shown = (*firing.cloaked_fire(calm, fired), *firing.exposures(calm, fired))
    hits = firing.damages(calm, (*fired, *shelled))
    flow.run((*drained, *fired, *shelled, *shown, *hits))
    struck = capital.strike(flow, shelled)
    flow.run(special_weapons.needled(flow.truth, fired, flow.dice))
    attacked = ground.attack(flow, shelled, struck.firing)
    hurt = flow.truth
    ended = tuple(volleys.endings(calm, hurt, fired))
    broken = firing.consequences(calm, hurt, fired, flow.dice)
    credited = ground.credited(flow, broken, attacked, shelled, struck.impacts)
    flow.run((*credited, *ended))
    flow.run(ground_fire.consequences(calm, flow.truth, attacked, struck.impacts))
    agents.seek(flow)
    ground.silence(flow)
    ground.look(flow)
    flow.run(firing.heats(flow.truth, fired, (*novas, *struck.shots)))
    flow.run(remotes.contacts(flow.truth))
    flow.run(cloak.endings(flow.truth, TrackerMode(flow.state.options.tracker_mode)))
    flow.run(scanning.losses(flow.truth))
    flow.run(scoring.sides_gone(flow.truth))
    flow.run([TurnEnded(turn=flow.truth.turn)])
    # After the turn's end, so that it stands in the record of the turn that follows.
    flow.run(occupation.occupations(flow.truth, flow.state.scenario))
    flow.run(losses.losses(flow.truth, flow.state.scenario, flow.state.playing))
    if ending_of(flow) is not None:
        flow.run(scoring.survivors(flow.truth, flow.state.scenario))


def _fired(flow: Flow) -> tuple[tuple[ShotFired, ...], tuple[BatteryFired, ...]]:
    """Return all attacks of the window on pieces in space, on the truth before any damage.

    Those of pieces in space stand first, then those of batteries on the ground.
    """
    truth, dice = flow.truth, flow.dice
    attacks, batteries = _attacks(flow.state), capital.batteries(flow.state)
    flying = tuple(attack for attack in attacks if truth.ships[attack.shooter].volley is not None)
    heavy = tuple(attack for attack in attacks if capital.is_capital(flow.state, attack))
    apart = frozenset((*flying, *heavy))
    direct = tuple(attack for attack in attacks if attack not in apart)
    aims = volleys.aims(truth, flying, dice)
    missiles = tuple(capital_fire.missiles(truth, heavy, batteries))
    spent = defending.spent(truth, aims, missiles, _policies(flow.state), dice)
    first = (
        *firing.shots(truth, direct, dice),
        *capital_fire.shots(truth, heavy, spent, dice),
        *volleys.strikes(truth, aims, spent, dice),
        *sweeping.sweeps(truth, dice),
    )
    shelled = tuple(capital_fire.battery_shots(truth, batteries, spent, dice))
    return (*first, *held_weapons.answers(flow, first, spent)), shelled


def _attacks(state: MatchState) -> tuple[Attack, ...]:
    attacks: list[Attack] = []
    for side in state.standing.sides:
        behind = pieces_behind(state.intel[audience_of(side)].held)
        attacks.extend(
            _attack(piece, order, behind.get(order.at))
            for piece, order in given(state, (side,), Fire)
            if order.at is not None and piece in state.truth.ships
        )
    return tuple(attacks)


def _novas(state: MatchState) -> tuple[tuple[PieceId, str], ...]:
    # Only a nova gun is fired at nothing.
    return tuple(
        (piece, order.weapon)
        for piece, order in given(state, state.standing.sides, Fire)
        if order.at is None and order.point is None
    )


def _policies(state: MatchState) -> dict[PieceId, DefencePolicy]:
    return {piece: order.policy for piece, order in given(state, state.standing.sides, Defend)}


def _attack(piece: PieceId, order: Fire, held: PieceId | None) -> Attack:
    target = None if held is None else hunted_piece(held)
    return Attack(piece, order.weapon, target, order.system)
