"""The terms of a match: the options that are not the usual ones, shown before a seat is ready."""

from sunglare_client.text.printable import printable
from sunglare_protocol.messages import ScenarioCard

CLOCK = "clock"
"""The option that every match names anyway."""


def term_lines(card: ScenarioCard) -> list[str]:
    """Return the line with the clock, and the one with the options that are unusual."""
    others = [name for name in card.unusual if name != CLOCK]
    told = ", ".join(f"{name} {card.options.get(name, '?')}" for name in others)
    lines = [f"clock: {card.options[CLOCK]}"] if CLOCK in card.options else []
    return [printable(line) for line in (*lines, *([f"unusual: {told}"] if told else []))]


def is_unusual(card: ScenarioCard) -> bool:
    """Return whether anything but the clock is not as it usually is."""
    return any(name != CLOCK for name in card.unusual)
