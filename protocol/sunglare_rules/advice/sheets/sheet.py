"""The sheet of one own piece: all that it may do in the open window, with the orders so far.

Source: none of its own; each entry is what `check` and the single questions say of it. A client
that has the sheets of its pieces need ask nothing while its player points at places.
"""

from typing import assert_never

from sunglare_protocol.ids import OwnId
from sunglare_protocol.messages.answers import (
    ListenOdds,
    SearchOdds,
    Sheet,
    SweepOdds,
)
from sunglare_protocol.orders import Listen, Sweep
from sunglare_protocol.orders.agents import Search
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.views.ground import AgentView, GroundView
from sunglare_protocol.words.ladder import Phase
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.check.ground import agent_named, unit_named
from sunglare_rules.advice.check.landing import DEPLOY_SPEED_MOST
from sunglare_rules.advice.legal.reach import jump_ends, walk_paths
from sunglare_rules.advice.odds.agents import search_odds
from sunglare_rules.advice.odds.fire import listen_odds, sweep_odds
from sunglare_rules.advice.refusing import refused, under
from sunglare_rules.advice.seen.agents import free_agents
from sunglare_rules.advice.seen.lookup import own_ids, ships_in_play
from sunglare_rules.advice.sheets.beside import Plan, stands
from sunglare_rules.advice.sheets.courses import (
    aim_squares,
    course_ends,
    deploy_squares,
    heard,
)
from sunglare_rules.advice.sheets.fire import arcs_of, attacks, bombards_of, shots_of
from sunglare_rules.advice.sheets.fitting import fitting
from sunglare_rules.advice.sheets.ground import missions, stations, steps
from sunglare_rules.advice.sheets.others import other_orders, remotes, shown_as_token, starts
from sunglare_rules.advice.sheets.scans import scans_of


def sheet(view: View, piece: str | None, plan: Plan = ()) -> Sheet | Rejected:
    """Return the sheet of an own piece as far as it fits in an answer, or why there is none.

    `plan` are orders that may stand together; each entry may stand with those of them that it
    would not replace. Of a ship only its own count, but for scans: what orders to other pieces
    need of it is not looked at.
    """
    found = None if piece is None else piece_named(view, OwnId(piece))
    if found is None:
        return under(refused(Code.ASK_ABOUT, choices=own_ids(view)), "$.about")
    return check(view, plan) or fitting(_sheet(view, found, plan))


def piece_named(view: View, own: OwnId) -> OwnView | GroundView | AgentView | None:
    """Return the own ship, ground unit or agent in play of that id, or None."""
    ships = (ship for ship in ships_in_play(view) if ship.id == own)
    return next(ships, None) or unit_named(view, own) or agent_named(view, own)


def _sheet(view: View, piece: OwnView | GroundView | AgentView, plan: Plan) -> Sheet:
    match piece:
        case OwnView():
            return _of_ship(view, piece, plan)
        case GroundView():
            return _of_unit(view, piece, plan)
        case AgentView():
            return _of_agent(view, piece, plan)
        case _:
            assert_never(piece)


def _of_ship(view: View, ship: OwnView, plan: Plan) -> Sheet:
    orders = other_orders(view, ship, plan)
    match view.stage.phase:
        case Phase.PLOT:
            ends = course_ends(view, ship, plan)
            deploys = deploy_squares(view, ship, plan)
            begins = starts(view, ship, plan, deploys[0] if deploys else None)
            return Sheet(
                piece=ship.id,
                orders=(*orders, *begins),
                remotes=remotes(ship, orders),
                deploys=deploys,
                deploy_speed=DEPLOY_SPEED_MOST if deploys else 0,
                courses=ends,
                heard=heard(view, ship, plan, ends),
                aims=aim_squares(view, ship, plan, orders),
            )
        case Phase.SCAN:
            strengths, places = scans_of(view, ship, plan)
            return Sheet(piece=ship.id, orders=orders, scans=strengths, places=places)
        case Phase.DETECT:
            return Sheet(
                piece=ship.id,
                orders=orders,
                listen=_listening(view, ship, plan),
                sweep=_sweeping(view, ship, plan),
            )
        case Phase.ENGAGE:
            return Sheet(
                piece=ship.id,
                orders=orders,
                arcs=arcs_of(ship),
                shots=shots_of(view, ship, plan),
                bombards=bombards_of(view, ship, plan),
            )
        case Phase.OVER:
            return Sheet(piece=ship.id)


def _of_unit(view: View, unit: GroundView, plan: Plan) -> Sheet:
    orders = other_orders(view, unit, plan)
    match view.stage.phase:
        case Phase.PLOT:
            walks = tuple(walk_paths(view, unit, plan).values())
            return Sheet(
                piece=unit.id,
                orders=(*orders, *shown_as_token(view, unit, plan, walks)),
                remotes=remotes(unit, orders),
                stations=stations(view, unit, plan),
                walks=walks,
                jumps=jump_ends(view, unit, plan),
            )
        case Phase.ENGAGE:
            return Sheet(
                piece=unit.id,
                orders=orders,
                attacks=attacks(view, unit, plan),
                bombards=bombards_of(view, unit, plan),
                search=_searching(view, unit.id, plan),
            )
        case Phase.SCAN | Phase.DETECT | Phase.OVER:
            return Sheet(piece=unit.id, orders=orders)


def _of_agent(view: View, agent: AgentView, plan: Plan) -> Sheet:
    orders = other_orders(view, agent, plan)
    if view.stage.phase is not Phase.PLOT or agent not in free_agents(view):
        return Sheet(piece=agent.id, orders=orders, search=_searching(view, agent.id, plan))
    return Sheet(
        piece=agent.id,
        orders=orders,
        steps=steps(view, agent, plan),
        missions=missions(view, agent, plan),
    )


def _listening(view: View, ship: OwnView, plan: Plan) -> ListenOdds | None:
    order = Listen(ship=ship.id)
    odds = listen_odds(view, order) if stands(view, plan, order) else None
    return odds if isinstance(odds, ListenOdds) else None


def _sweeping(view: View, ship: OwnView, plan: Plan) -> SweepOdds | None:
    order = Sweep(ship=ship.id)
    odds = sweep_odds(view, order) if stands(view, plan, order) else None
    return odds if isinstance(odds, SweepOdds) else None


def _searching(view: View, piece: OwnId, plan: Plan) -> SearchOdds | None:
    order = Search(ship=piece)
    odds = search_odds(view, order) if stands(view, plan, order) else None
    return odds if isinstance(odds, SearchOdds) else None
