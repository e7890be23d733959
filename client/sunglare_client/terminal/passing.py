"""Windows that the client passes for the player: those without a decision, and on demand all."""

from typing import final

from sunglare_client.terminal.desk import Desk
from sunglare_protocol.ids import Handle
from sunglare_protocol.views import View
from sunglare_rules.advice.legal.decisions import has_decision
from sunglare_rules.advice.review.review import review

RELEASED = "windows wait for you again"
"""The end of `pass until contact`."""


@final
class Passing:
    """Which windows are passed: it forgets nothing from one window to the next."""

    def __init__(self) -> None:
        """Pass windows without a decision alone."""
        self._skips = True
        self._known: frozenset[Handle] | None = None

    def skip(self, *, is_on: bool) -> list[str]:
        """Pass windows without a decision, or have them wait; say so."""
        self._skips = is_on
        done = "are passed" if is_on else "wait for your ready"
        return [f"windows in which you have nothing to decide {done}"]

    def until_contact(self, view: View, *, is_on: bool) -> list[str]:
        """Pass every window until this side holds something that it does not hold now."""
        self._known = _held(view) if is_on else None
        return ["passing until a new contact; pass off ends it"] if is_on else [RELEASED]

    def take(self, view: View) -> list[str]:
        """Look at the view of a new window; say so if it ends the passing."""
        if self._known is None or _held(view) <= self._known:
            return []
        self._known = None
        return [f"a new contact: {RELEASED}"]

    def reason(self, desk: Desk) -> str:
        """Return why the open window is passed; empty if it waits for the player."""
        phase = desk.view.stage.phase.value.upper()
        if self._known is not None and not review(desk.view, desk.plan).losses:
            return f"{phase} passed: no new contact"
        if self._skips and not has_decision(desk.view):
            return f"nothing to decide in {phase}; passed"
        return ""


def _held(view: View) -> frozenset[Handle]:
    contacts = (contact.handle for contact in view.contacts)
    tokens = (token.handle for surface in view.surfaces for token in surface.tokens)
    return frozenset(handle for handle in (*contacts, *tokens) if handle is not None)
