"""Windows that the client passes for the player: those without a decision, and on demand all."""

from typing import NamedTuple, final

from sunglare_client.terminal.turn_session import TurnSession
from sunglare_client.text.reviews import loss_line
from sunglare_protocol.views import View
from sunglare_rules.advice.legal.decisions import has_decision
from sunglare_rules.advice.review.review import review

RELEASED = "windows wait for you again"
"""The end of `pass until contact`."""


@final
class _Standing(NamedTuple):
    """What a side has of others, by their labels, and the state of its own pieces."""

    labels: frozenset[str]
    own: tuple[object, ...]


@final
class Passing:
    """Which windows are passed: it forgets nothing from one window to the next."""

    def __init__(self) -> None:
        """Pass windows without a decision alone."""
        self._skips = True
        self._before: _Standing | None = None
        self._decided: tuple[View | None, bool] = (None, True)

    def skip(self, *, is_on: bool) -> list[str]:
        """Pass windows without a decision, or have them wait; say so."""
        self._skips = is_on
        done = "are passed" if is_on else "wait for your ready"
        return [f"windows in which you have nothing to decide {done}"]

    def until_contact(self, session: TurnSession, *, is_on: bool) -> list[str]:
        """Pass every window until something new is seen, or an own piece is hit, found or lost.

        Where a piece would be lost by it at once, say which instead.
        """
        lost = _losses(session) if is_on else []
        self._before = _standing(session.view) if is_on and not lost else None
        if lost:
            return [*lost, f"not passed: {RELEASED}"]
        return ["passing until a new contact; pass off ends it"] if is_on else [RELEASED]

    def take(self, session: TurnSession) -> list[str]:
        """Look at a window that opens; return why the passing ends with it, if it does."""
        if self._before is None:
            return []
        now = _standing(session.view)
        why = _losses(session)
        if not now.labels <= self._before.labels:
            why = ["there is something new", *why]
        if now.own != self._before.own:
            why = ["a piece of yours was hit, found or lost", *why]
        if not why:
            return []
        self._before = None
        return [*why, f"the passing has ended: {RELEASED}"]

    def reason(self, session: TurnSession) -> str:
        """Return why the open window is passed; empty if it waits for the player."""
        phase = session.view.stage.phase.value.upper()
        if self._before is not None and not _losses(session):
            return f"{phase} passed: no new contact"
        if self._skips and not self._has_decision(session.view):
            return f"nothing to decide in {phase}; passed"
        return ""

    def _has_decision(self, view: View) -> bool:
        """Return whether a window has a decision, computed once for each view."""
        if self._decided[0] is not view:
            self._decided = view, has_decision(view)
        return self._decided[1]


def _losses(session: TurnSession) -> list[str]:
    return [loss_line(loss) for loss in review(session.view, session.plan).losses]


def _standing(view: View) -> _Standing:
    labels = [contact.label for contact in view.contacts]
    labels += [token.label for surface in view.surfaces for token in surface.tokens]
    ships = ((ship.id, ship.fate, ship.damage, len(ship.exposed)) for ship in view.own)
    units = ((unit.id, unit.fate, unit.damage) for unit in view.ground)
    agents = ((agent.id, agent.fate, agent.detected) for agent in view.agents)
    return _Standing(frozenset(labels), (*ships, *units, *agents))
