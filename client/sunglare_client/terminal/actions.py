"""Actions for commands that are no order: requests to the match, and displays."""

import enum
from collections.abc import Callable, Coroutine
from typing import Any

from sunglare_client.command import Act
from sunglare_client.terminal.clockface import Clockface
from sunglare_client.terminal.helping import help_lines
from sunglare_client.terminal.seat_port import SeatPort
from sunglare_client.terminal.turn_session import TurnSession
from sunglare_client.text.rules import RULED, rule_lines
from sunglare_client.verbs.written import legal_lines
from sunglare_protocol.messages import Accepted
from sunglare_rules.advice.cards.why import WORDS


class Action(enum.StrEnum):
    """Commands that are no order, by their verbs."""

    READY = "ready"
    UNREADY = "unready"
    UNDO = "undo"
    ORDERS = "orders"
    LEGAL = "legal"
    ODDS = "odds"
    WHY = "why"
    LOOK = "look"
    RULES = "rules"
    NOTE = "note"
    SKIP = "skip"
    PASS = "pass"  # noqa: S105 - a verb
    SET = "set"
    CONTACTS = "contacts"
    SHIPS = "ships"
    GOALS = "goals"
    SAY = "say"
    MUTE = "mute"
    REPORT = "report"
    GRANT = "grant"
    REVOKE = "revoke"
    PAUSE = "pause"
    DRAW = "draw"
    RESIGN = "resign"
    QUIT = "quit"
    HELP = "help"


SHOWING = (
    Action.ORDERS,
    Action.WHY,
    Action.LOOK,
    Action.RULES,
    Action.NOTE,
    Action.CONTACTS,
    Action.SHIPS,
    Action.GOALS,
    Action.HELP,
)
"""What only shows something: during a match, in a lesson and after the end."""

GRAVE = (Action.DRAW, Action.RESIGN, Action.QUIT)
"""What must be confirmed."""


_SEALED = (
    "The offer is sealed: the others do not see it, and the match ends once every side has made"
    " one."
)
"""What the terminal says of an offer of a draw, before it and after it."""

_NO_ODDS = "that brings nothing by chance, and nothing moves by it"
"""What is said of an order about which there is nothing to say."""


def unsure_lines(act: Act) -> list[str]:
    """Return what is asked before a grave deed, with what it means; nothing where it is sure."""
    if act.deed not in GRAVE or act.sure:
        return []
    meaning = [_SEALED] if act.deed == Action.DRAW else []
    return [*meaning, f"Are you sure? Then say y, or: {act.deed} yes"]


def is_yes(line: str) -> bool:
    """Return whether a line agrees to what was asked right before it."""
    return line.strip().lower() in ("y", "yes")


def is_no(line: str) -> bool:
    """Return whether a line declines what was asked right before it."""
    return line.strip().lower() in ("n", "no")


Asking = tuple[Coroutine[Any, Any, Accepted], str]
"""What a deed asks of the match, and what is said once it is granted, if anything."""


def asked_of(act: Act, table: SeatPort) -> Asking | None:
    """Return what a deed asks of the match, if anything."""
    match act.deed:
        case Action.PAUSE:
            done = "You ask for a pause." if act.sure else "You ask for no pause."
            return table.ask_pause(on=act.sure), done
        case Action.RESIGN:
            return table.resign(), "You have resigned."
        case Action.DRAW:
            return table.offer_draw(), f"A draw is offered. {_SEALED}"
        case _:
            return _of_people(act, table)


def _of_people(act: Act, table: SeatPort) -> Asking | None:
    match act.deed:
        case Action.SAY:
            return table.chat(act.text), ""
        case Action.MUTE:
            done = f"You hear {'no' if act.sure else 'the'} chat of {act.side}."
            return table.mute(act.side, on=act.sure), done
        case Action.REPORT:
            done = f"Only the operator receives the report of {act.side}."
            return table.report(act.side, act.text), done
        case Action.GRANT:
            return table.grant(act.text, act.feed), f"{act.text} may watch {act.feed}."
        case Action.REVOKE:
            return table.revoke(act.text, act.feed), f"{act.text} may watch {act.feed} no more."
        case _:
            return None


def is_reading(act: Act) -> bool:
    """Return whether a deed shows a text that is read from its first line on."""
    of_command = act.deed == Action.WHY and act.text.lower() in RULED.keys() - WORDS
    return of_command or act.deed in (Action.RULES, Action.HELP)


def lines_of(act: Act, session: TurnSession, clock: Clockface) -> list[str]:
    """Return the lines of a deed that only shows something, or undoes a step of the plan."""
    tellers: dict[str, Callable[[], list[str]]] = {
        Action.UNDO: session.undo,
        Action.ORDERS: lambda: [*session.plan_lines(), clock.words()],
        Action.LEGAL: lambda: legal_lines(session.view, act.text),
        Action.ODDS: lambda: session.tried(act.text) or [_NO_ODDS],
        Action.WHY: lambda: session.why(act.text),
        Action.LOOK: lambda: session.look(act.text),
        Action.RULES: lambda: rule_lines(act.text),
        Action.NOTE: lambda: session.note(act.text),
        Action.CONTACTS: session.contact_lines,
        Action.SHIPS: session.own_lines,
        Action.GOALS: session.goal_lines,
        Action.HELP: lambda: help_lines(act.text),
    }
    return tellers[act.deed]()
