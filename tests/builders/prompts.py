"""A view and what a typed line makes of it, for the tests of the command language."""

from builders.terminals import view
from sunglare_client.command import Give, Problem
from sunglare_client.terminal.input.parser import parse
from sunglare_protocol.orders import Order
from sunglare_protocol.views import OwnView
from sunglare_protocol.words.ladder import Phase


def given_by(
    line: str, phase: Phase = Phase.PLOT, plan: tuple[Order, ...] = ()
) -> tuple[Order, ...]:
    """Return the orders that a line gives."""
    command = parse(line, view(phase), plan)
    assert isinstance(command, Give), command
    return command.orders


def problem(
    line: str, phase: Phase = Phase.PLOT, own: tuple[OwnView, ...] | None = None
) -> Problem:
    """Return what is wrong with a line."""
    found = parse(line, view(phase) if own is None else view(phase, own=own))
    assert isinstance(found, Problem), found
    return found
