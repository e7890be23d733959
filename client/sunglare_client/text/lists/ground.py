"""The surface as lists and maps: own units, agents, tokens, terrain."""

from sunglare_client.text.lists.agents import agents_order_text
from sunglare_client.text.notices.blips import dossier_text
from sunglare_client.text.printable import printable, spoken
from sunglare_protocol.geometry import Environs
from sunglare_protocol.orders import Launch, Order, Power
from sunglare_protocol.orders.agents import AgentOrder
from sunglare_protocol.orders.ground import GroundOrder, Move, Station
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.views import TruthView, View
from sunglare_protocol.views.ground import (
    AgentPieceView,
    AgentView,
    GroundView,
    TokenView,
    UnitPieceView,
)
from sunglare_protocol.words.ladder import Fate
from sunglare_rules.advice.cards.ground import special_words
from sunglare_rules.blips.ecm import has_jammer

NOTHING_KNOWN = "surface: no map is seen or remembered"
"""What stands where no surface map is seen and nothing on one remembered."""

_WIDE = 4
"""Columns of a drawn cell."""


def draw_ground(view: View, plan: tuple[Order, ...] = ()) -> list[str]:
    """Return rows for each own ground unit and agent; none if the side has none."""
    rows = [row for unit in view.ground for row in _unit_rows(unit, plan)]
    rows += [row for agent in view.agents for row in _agent_rows(agent, plan)]
    return [printable(row) for row in (["own ground:", *rows] if rows else [])]


def draw_tokens(view: View) -> list[str]:
    """Return a row for each surface map seen or remembered, and each token on it."""
    rows = []
    for surface in view.surfaces:
        rows.append(f"surface of {surface.site.name}{'' if surface.seen else ' (memory)'}:")
        rows.extend(_token_row(token) for token in surface.tokens)
    return [printable(row) for row in rows]


def draw_true_ground(view: TruthView) -> list[str]:
    """Return a row for each ground unit and agent of the truth."""
    rows = [_true_unit(unit) for unit in view.ground]
    rows += [_true_agent(agent) for agent in view.agents]
    return [printable(row) for row in (["on the ground:", *rows] if rows else [])]


def draw_surface(view: View, site: Site) -> list[str]:
    """Return a surface map: a letter of terrain for each cell, with the pieces on top.

    North is up; own pieces by their ids, foreign ones by their labels, one for each cell.
    """
    environs = view.board.environs_at(site)
    if environs is None:
        return [f"there is no surface {site.name}"]
    standing = _standing_on(view, site)
    names = {cell: each[0] for cell, each in standing.items()}
    head = "   " + "".join(f"{Cell(each, 0).name[0]:<{_WIDE}}" for each in range(environs.columns))
    lines = [_title(environs, site), head.rstrip()]
    for row in range(environs.rows - 1, -1, -1):
        cells = (_drawn(environs, Cell(each, row), names) for each in range(environs.columns))
        lines.append(f"{row + 1:>2} {''.join(cells)}".rstrip())
    legend = "., rough  w woods  ~ water  1-4 building  a-c hill   2 inches a cell"
    shared = [f"{' '.join(each)} on {cell.name}" for cell, each in standing.items() if each[1:]]
    together = [f"   {', '.join(shared)}"] if shared else []
    return [printable(line) for line in (*lines, *together, f"   {legend}")]


def ground_order_text(order: GroundOrder) -> str:
    """Return an order of the surface as the command that writes it."""
    match order:
        case Station():
            cell = f" {order.cell.name}" if order.cell is not None else ""
            hidden = " hidden" if order.hidden else ""
            stacked = f" with {order.stacked}" if order.stacked is not None else ""
            site = f"{order.at.body.replace(' ', '')} {order.at.environs}"
            return f"station {order.ship} {site}{cell}{hidden}{stacked}"
        case Move():
            return f"move {order.ship} {_way(order)}{' token' if order.token else ''}"


def power_text(order: Power) -> str:
    """Return the order that switches a plant, a jammer or both as the command that writes it."""
    power = f"power {order.ship} {'on' if order.on else 'off'}"
    if order.ecm is None:
        return power
    return f"{power} ecm {'on' if order.ecm else 'off'}"


def _way(order: Move) -> str:
    if order.load is not None:
        return f"load {order.load}"
    if order.unload:
        return "unload"
    cells = " ".join(cell.name for cell in order.path)
    return f"jump {cells}" if order.jump else cells


def _unit_rows(unit: GroundView, plan: tuple[Order, ...]) -> list[str]:
    if unit.fate is not Fate.IN_PLAY:
        return [f"  {unit.id} {unit.name}  {unit.type}  {unit.fate.value.upper()}"]
    arms = "; ".join(
        f"{each.id} {spoken(each.kind.value)} {'/'.join(map(str, each.damage))}"
        for each in unit.weapons
    )
    jumps = f" jump {unit.jump}" if unit.jump else ""
    state = (
        f"  {unit.id} {unit.name}  {unit.type}  damage {unit.damage}/{unit.toughness}"
        f"  {_place(unit.site, unit.cell, unit.aboard)}{'  HIDDEN' if unit.hidden else ''}"
        f"  {unit.mode.value} {unit.move}{jumps}  {arms or 'unarmed'}{_abilities(unit)}"
    )
    return [state, *_plan_rows(unit.id, plan)]


def _abilities(unit: GroundView) -> str:
    words = [special_words(unit)] if unit.specials else []
    words += ["ecm off"] if has_jammer(unit.specials) and not unit.ecm_on else []
    return f"  {' '.join(words)}" if words else ""


def _agent_rows(agent: AgentView, plan: tuple[Order, ...]) -> list[str]:
    if agent.fate is not Fate.IN_PLAY:
        return [f"  {agent.id} {agent.name}  {agent.fate.value.upper()}"]
    with_whom = f" with {agent.stacked}" if agent.stacked is not None else ""
    state = (
        f"  {agent.id} {agent.name}  combat {agent.combat}  endurance"
        f" {agent.endurance - agent.wounds}/{agent.endurance}  wits {agent.intelligence}"
        f"  leads {agent.leadership}  {_place(agent.site, None, agent.aboard)}{with_whom}"
        f"{'  DETECTED' if agent.detected else ''}"
        f"{'' if agent.captor is None else f'  PRISONER of {agent.captor}'}"
    )
    return [state, *_plan_rows(agent.id, plan)]


def _plan_rows(own: str, plan: tuple[Order, ...]) -> list[str]:
    mine = [_order_text(order) for order in plan if order.ship == own]
    texts = [text for text in mine if text]
    return [f"     plan: {'; '.join(texts)}"] if texts else []


def _order_text(order: Order) -> str:
    if isinstance(order, GroundOrder):
        return ground_order_text(order)
    if isinstance(order, Power):
        return power_text(order)
    if isinstance(order, Launch):
        return f"launch {order.ship} {order.what.value}"
    return agents_order_text(order) if isinstance(order, AgentOrder) else ""


def _token_row(token: TokenView) -> str:
    parts = [
        f"  {token.label:<4} {token.cell.name}",
        f"side {token.side}, {token.type}" if token.type is not None else "blip",
        *([dossier_text(token.dossier)] if token.dossier is not None else []),
        *(["MEMORY"] if token.handle is None and token.fate is Fate.IN_PLAY else []),
        *(["DESTROYED"] if token.fate is Fate.DESTROYED else []),
        f"turn {token.turn}",
    ]
    return "  ".join(parts)


def _true_unit(unit: UnitPieceView) -> str:
    held = ", ".join(
        f"{each.side} {'IDENTIFIED' if each.identified else 'BLIP'}" for each in unit.held
    )
    state = "" if unit.fate is Fate.IN_PLAY else f"  {unit.fate.value.upper()}"
    return (
        f"  {unit.side}.{unit.id} {unit.name}  {unit.type} ({unit.variant})"
        f"  damage {unit.damage}/{unit.toughness}  {_place(unit.site, unit.cell, unit.aboard)}"
        f"{'  HIDDEN' if unit.hidden else ''}  held by: {held or 'nobody'}{state}"
    )


def _true_agent(agent: AgentPieceView) -> str:
    state = "" if agent.fate is Fate.IN_PLAY else f"  {agent.fate.value.upper()}"
    return (
        f"  {agent.side}.{agent.id} {agent.name}  {_place(agent.site, None, agent.aboard)}"
        f"  {'DETECTED' if agent.detected else 'undetected'}{state}"
    )


def _place(site: Site | None, cell: Cell | None, aboard: str | None) -> str:
    if site is None:
        return f"aboard {aboard}" if aboard is not None else "nowhere"
    return f"on {site.name}{'' if cell is None else f' {cell.name}'}"


def _title(environs: Environs, site: Site) -> str:
    air = f"{environs.pressure.value} air, {environs.weather.value} weather"
    return f"{site.name}, sector {environs.sector.value}, {air}"


def _standing_on(view: View, site: Site) -> dict[Cell, list[str]]:
    """Return who stands on each cell, own pieces before held tokens before memories."""
    names: dict[Cell, list[str]] = {}
    for unit in view.ground:
        if unit.site == site and unit.cell is not None and unit.fate is Fate.IN_PLAY:
            names.setdefault(unit.cell, []).append(unit.id)
    tokens = [token for each in view.surfaces if each.site == site for token in each.tokens]
    for token in sorted(tokens, key=lambda each: each.handle is None):
        if token.fate is Fate.IN_PLAY:
            mark = token.label if token.handle is not None else token.label.lower()
            names.setdefault(token.cell, []).append(mark)
    return names


def _drawn(environs: Environs, cell: Cell, names: dict[Cell, str]) -> str:
    rows = environs.terrain
    letter = rows[environs.rows - 1 - cell.row][cell.column] if rows else "."
    name = names.get(cell, "")
    return f"{letter}{name[: _WIDE - 1]}".ljust(_WIDE)
