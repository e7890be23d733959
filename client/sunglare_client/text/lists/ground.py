"""The ground as lists: own units and agents, tokens, the pieces of the truth there."""

from sunglare_client.text.lists.dossiers import dossier_text
from sunglare_client.text.printable import printable
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.views import TruthView, View
from sunglare_protocol.views.ground import (
    AgentPieceView,
    AgentView,
    GroundView,
    TokenView,
    UnitPieceView,
)
from sunglare_protocol.word import spoken
from sunglare_protocol.words.ladder import Fate
from sunglare_rules.advice.cards.ground import special_words
from sunglare_rules.blips.ecm import has_jammer


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


def unit_row(unit: GroundView) -> str:
    """Return the row of an own ground unit."""
    if unit.fate is not Fate.IN_PLAY:
        return f"  {unit.id} {unit.name}  {unit.type}  {unit.fate.value.upper()}"
    arms = "; ".join(
        f"{weapon.id} {spoken(weapon.kind)} {'/'.join(map(str, weapon.damage))}"
        for weapon in unit.weapons
    )
    jumps = f" jump {unit.jump}" if unit.jump else ""
    return (
        f"  {unit.id} {unit.name}  {unit.type}  damage {unit.damage}/{unit.toughness}"
        f"  {_place(unit.site, unit.cell, unit.aboard)}{'  HIDDEN' if unit.hidden else ''}"
        f"  {unit.mode.value} {unit.move}{jumps}  {arms or 'unarmed'}{_abilities(unit)}"
    )


def _abilities(unit: GroundView) -> str:
    words = [special_words(unit)] if unit.specials else []
    words += ["ecm off"] if has_jammer(unit.specials) and not unit.ecm_on else []
    return f"  {' '.join(words)}" if words else ""


def agent_row(agent: AgentView) -> str:
    """Return the row of an own agent."""
    if agent.fate is not Fate.IN_PLAY:
        return f"  {agent.id} {agent.name}  {agent.fate.value.upper()}"
    with_whom = f" with {agent.stacked}" if agent.stacked is not None else ""
    return (
        f"  {agent.id} {agent.name}  combat {agent.combat}  endurance"
        f" {agent.endurance - agent.wounds}/{agent.endurance}  wits {agent.intelligence}"
        f"  leads {agent.leadership}  {_place(agent.site, None, agent.aboard)}{with_whom}"
        f"{'  DETECTED' if agent.detected else ''}"
        f"{'' if agent.captor is None else f'  PRISONER of {agent.captor}'}"
    )


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
        f"{holding.side} {'IDENTIFIED' if holding.identified else 'BLIP'}" for holding in unit.held
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
