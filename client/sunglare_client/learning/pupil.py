"""A pupil before a lesson: what they say, what is said to that, and whether it is solved."""

from typing import final

from sunglare_client.command import Act, Command, Give, Problem
from sunglare_client.map.evidence import NONE, newest
from sunglare_client.terminal.actions import SHOWING, Action, is_reading, lines_of
from sunglare_client.terminal.clockface import Clockface
from sunglare_client.terminal.display import Display
from sunglare_client.terminal.input.completion import complete
from sunglare_client.terminal.input.parser import parse, split_line
from sunglare_client.terminal.turn_session import TurnSession
from sunglare_client.text.story import window_lines
from sunglare_protocol.lessons.lesson import Position
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.views import View
from sunglare_rules.advice.lessons import judged
from sunglare_rules.advice.plans.policy import Policy

SOLVED = "That is it."
"""The reply to a right answer."""

WAYS = "hint helps, skip passes, quit ends"
"""The commands of a lesson that a match does not have."""

NEXT = "next"
"""What Enter says once a lesson is solved, wherever the keys are."""

GO_ON = "Enter goes on."
"""What is said when a lesson is solved."""

MATCHES_ONLY = "there is nobody else here: in a match that would be told to the others"
"""What is said of commands that are for a match alone."""

_IN_LESSONS = (Action.UNDO, Action.LEGAL, Action.ODDS, *SHOWING)
"""The acts of a pupil other than giving orders."""


@final
class Pupil:
    """One lesson in progress; it has the session of a match, but no player on the other side.

    `answers` counts the lines that were said to it.
    """

    def __init__(self, position: Position, display: Display) -> None:
        """Begin with the position."""
        self.position = position
        self.session = TurnSession(position.frames[0], position.view, Policy(sensors=False))
        self.clock = Clockface(lambda: 0.0)
        self.is_solved = False
        self.answers = 0
        self._display = display

    @property
    def is_asking(self) -> bool:
        """Return that nothing is asked: a lesson has no question to answer."""
        return False

    @property
    def is_committing(self) -> bool:
        """Return that no lock is on its way: a lesson has none."""
        return False

    def complete(self, line: str) -> list[str]:
        """Return what the last word of a line may become."""
        return complete(line, self.session.view, self.session.given)

    @property
    def title(self) -> str:
        """Return the number of the lesson and what it is about."""
        return f"Lesson {self.position.number}: {self.position.lesson.title}"

    def opening(self) -> list[str]:
        """Return what the lesson begins with."""
        lesson = self.position.lesson
        return [self.title, f"  ({lesson.source})", _paragraph(lesson.story), lesson.task]

    def reminder(self) -> list[str]:
        """Return what stays in view: story and task, then the idea."""
        lesson = self.position.lesson
        if self.is_solved:
            return [SOLVED, _paragraph(lesson.idea), GO_ON]
        return [_paragraph(lesson.story), "", lesson.task, "", WAYS]

    def obey(self, line: str) -> list[str]:
        """Do what a line says, and return what to show."""
        self.answers += 1
        rows = []
        for text in (text for row in line.splitlines() for text in split_line(row)):
            rows += self._obey(text)
        return rows if line.strip() else [self.position.lesson.task, WAYS]

    def _obey(self, text: str) -> list[str]:
        if text.strip().lower() == "hint":
            lesson = self.position.lesson
            return [f"{lesson.hint}; try:", *(f"  {line}" for line in lesson.tries)]
        session = self.session
        command = parse(text, session.view, session.given)
        if isinstance(command, Problem):
            return [command.text]
        if isinstance(command, Give):
            return self._judged(command)
        return self._shown(command)

    def _shown(self, command: Command) -> list[str]:
        if isinstance(command, Act):
            return self._done(command)
        return self.session.carry_out(command, self._display)

    def _done(self, act: Act) -> list[str]:
        """Return what a deed shows; a text that is read is shown at once."""
        if act.deed not in _IN_LESSONS:
            return [MATCHES_ONLY]
        lines = lines_of(act, self.session, self.clock)
        if not is_reading(act):
            return lines
        self._display.read(lines)
        return []

    def _judged(self, given: Give) -> list[str]:
        """Return what is said of orders: they are sought, possible but not sought, or neither."""
        if self.is_solved:
            return [GO_ON]
        said = self.session.order(given)
        if said[:1] and said[0].startswith("E-"):
            return said
        verdict = judged(self.position, given.orders)
        if isinstance(verdict, Rejected):
            raise TypeError("orders that the session has taken are refused")
        if verdict.is_solved:
            self.is_solved = True
            outcome = [*self._sequel(), *self._drawn_outcome()]
            return [*said, SOLVED, *outcome, _paragraph(self.position.lesson.idea), GO_ON]
        self.session.undo()
        return [*said, verdict.said]

    def _sequel(self) -> list[str]:
        """Return what came of it in the match that the position is from, and go on to there."""
        rows = []
        for frame in self.position.frames[1:]:
            if isinstance(frame.view, View):
                self.session.open(frame, frame.view)
            rows += [self.session.labels.in_words(row) for row in window_lines(frame)]
        return rows

    def _drawn_outcome(self) -> list[str]:
        """Return how the board stands now, and draw the last reply on it."""
        session = self.session
        told, shown = session.recent_notices.evidence("told"), newest(session.view)
        session.evidence = shown if told == NONE else told
        session.focus = session.evidence.middle or session.focus
        return session.board_lines(self._display)


def _paragraph(text: str) -> str:
    """Return lines of a file as one line, to be broken where the screen ends."""
    return " ".join(text.split())
