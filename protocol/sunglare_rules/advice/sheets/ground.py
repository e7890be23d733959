"""The ways of ground units and agents in PLOT: starts, walks and jumps, steps and missions.

Source: surface play of our rule book, blips §2.4; search of it §2.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from sunglare_protocol.geometry import Environs
from sunglare_protocol.ids import OwnId
from sunglare_protocol.messages.answers import AgentPreview, MissionOdds
from sunglare_protocol.messages.sheets import MissionReach, StationReach, StepReach
from sunglare_protocol.orders.agents import Mission
from sunglare_protocol.orders.ground import Station
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.views import View
from sunglare_protocol.views.ground import AgentView, GroundView
from sunglare_protocol.words.search import MissionKind
from sunglare_rules.advice.check.check import takes
from sunglare_rules.advice.check.ground import unit_station_problem
from sunglare_rules.advice.legal.agents import handles_at, missions_of, steps_of
from sunglare_rules.advice.odds.agents import mission_odds, step_preview
from sunglare_rules.advice.seen.agents import free_agents
from sunglare_rules.advice.sheets.beside import Plan, stands, without


def cells_of(environs: Environs) -> Iterator[Cell]:
    """Yield the cells of a surface map, row by row from the south."""
    for row in range(environs.rows):
        for column in range(environs.columns):
            yield Cell(column, row)


def stations(view: View, unit: GroundView, plan: Plan) -> tuple[StationReach, ...]:
    """Return where a unit may start in turn 1, hidden or not."""
    if not takes(view, Station) or unit.site is None:
        return ()
    sites = dict.fromkeys([unit.site, *[area.site for area in view.areas]])
    found = [StationReach(at=site, cells=_starts(view, unit, site, plan)) for site in sites]
    return tuple([reach for reach in found if reach.cells])


def _starts(view: View, unit: GroundView, site: Site, plan: Plan) -> tuple[Cell, ...]:
    environs = view.board.environs_at(site)
    if environs is None:
        return ()
    starts = [Station(ship=unit.id, at=site, cell=cell) for cell in cells_of(environs)]
    found = [
        order for order in starts if unit_station_problem(view, unit, environs, order) is None
    ]
    moves = any(order.ship == unit.id and not isinstance(order, Station) for order in plan)
    if found and not moves:
        # Nothing else in the set depends on the cell.
        found = found if stands(view, plan, found[0]) else []
    return tuple(
        [
            order.cell
            for order in found
            if order.cell is not None and (not moves or stands(view, plan, order))
        ]
    )


def steps(view: View, agent: AgentView, plan: Plan) -> tuple[StepReach, ...]:
    """Return the steps that an agent may make next, and whom they get detected."""
    found = []
    for order in steps_of(view, agent):
        preview = step_preview(view, order, plan) if stands(view, plan, order) else None
        if isinstance(preview, AgentPreview):
            reach = StepReach(order=order, detected=preview.detected, anew=preview.anew)
            found.append(reach)
    return tuple(found)


def missions(view: View, agent: AgentView, plan: Plan) -> tuple[MissionReach, ...]:
    """Return the missions on which an agent may go, with every target that is known.

    They are for the agent alone, and for groups: of two that deliver what only the other could;
    and where the plan sends it on one, all for that group, and that one with one agent more or
    one less.
    """
    found = []
    for order in dict.fromkeys(_tried(view, agent, plan)):
        others = without(plan, order)
        odds = mission_odds(view, order, others) if stands(view, plan, order) else None
        if isinstance(odds, MissionOdds):
            found.append(MissionReach(order=order, hundredths=odds.hundredths))
    return tuple(found)


def _tried(view: View, agent: AgentView, plan: Plan) -> Iterator[Mission]:
    alone = (*missions_of(view, agent), *_other_missions(view, agent))
    mates = tuple([other.id for other in free_agents(view) if other.id != agent.id])
    yield from alone
    planned = next(
        (one for one in plan if isinstance(one, Mission) and one.ship == agent.id), None
    )
    if planned is None:
        # What one of a group carries, or is, the whole group can deliver.
        for order in alone:
            if order.kind is MissionKind.DELIVER and not stands(view, plan, order):
                yield from (replace(order, others=(mate,)) for mate in mates)
        return
    group = planned.others
    yield from (replace(order, others=group) for order in alone if group)
    yield from (replace(planned, others=_changed(group, mate)) for mate in mates)


def _changed(group: tuple[OwnId, ...], mate: OwnId) -> tuple[OwnId, ...]:
    """Return the group without that agent, or with it if it is not in it yet."""
    rest = tuple([other for other in group if other != mate])
    return rest if len(rest) < len(group) else (*group, mate)


def _other_missions(view: View, agent: AgentView) -> Iterator[Mission]:
    """Yield missions for each item and agent that is known, at home or not, and for silence."""
    if agent.site is not None:
        for handle in handles_at(view, agent.site):
            kind = MissionKind.SABOTAGE
            yield Mission(ship=agent.id, kind=kind, at=handle, silence=True)
    items = tuple(item.name for item in view.items)
    agents = tuple(other.id for other in view.agents)
    goods = dict.fromkeys(goal.piece for goal in view.objectives if goal.piece is not None)
    names = {
        MissionKind.STEAL: items,
        MissionKind.DELIVER: tuple(goods),
        MissionKind.FREE: agents,
    }
    for kind, known in names.items():
        for name in known:
            yield Mission(ship=agent.id, kind=kind, name=name)
