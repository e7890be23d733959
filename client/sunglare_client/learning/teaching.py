"""`sunglare learn`: the lessons one after the other, on the full screen or as lines."""

import argparse
import enum
import sys
from collections.abc import AsyncIterator, Callable, Sequence

from sunglare_client.cli.flags import add_face
from sunglare_client.fullscreen.opening import can_fill, full_screen
from sunglare_client.fullscreen.playing import Playing
from sunglare_client.fullscreen.scene import Panel
from sunglare_client.learning import progress
from sunglare_client.learning.pupil import NEXT, WAYS, Pupil
from sunglare_client.terminal.display import Display
from sunglare_client.terminal.screen import CTRL_D, screen_on, typed_lines
from sunglare_client.terminal.shared_lines import SharedLines
from sunglare_protocol.lessons.lesson import LessonError, Position, positions


class Word(enum.StrEnum):
    """What ends a lesson that is not solved."""

    QUIT = "quit"
    SKIP = "skip"


HELP = """\
Solved lessons are stored next to the tokens; without a number the unsolved ones come in turn.

exit codes:
  0  all lessons were solved
  1  a lesson was skipped or left
"""


ENDING = ("", NEXT, "ready", "r")
"""What goes on to the next lesson once one is solved."""

HOW = f"Type what you would in a match; {WAYS}."
"""What is said at the beginning."""

END = "Those were all lessons. sunglare play begins a match against a bot."
"""What is said at the end."""

FIRST = "First some puzzles, with one idea each; quit goes on to the match."
"""The greeting before a first match."""

TOLD = "New here? sunglare learn teaches the game by puzzles with one idea each."
"""The same, where lines are typed."""


def add_learn(parser: argparse.ArgumentParser) -> None:
    """Add what `sunglare learn` takes."""
    parser.epilog = HELP
    parser.add_argument(
        "lesson", nargs="?", type=int, help="its number (default: all unsolved ones)"
    )
    parser.add_argument(
        "--list", action="store_true", help="list them, with those you have solved"
    )
    parser.add_argument("--ascii", action="store_true", help="draw with ASCII only")
    add_face(parser)


async def learn(options: argparse.Namespace) -> int:
    """Give the lessons that are wanted; return 0 if all of them were solved, else 1."""
    solved = progress.load().solved
    if options.list:
        _show_list(options, solved)
        return 0
    code = await lessons(_wanted(options.lesson, solved), options)
    if code == 0 and not _are_lines(options):
        screen_on(sys.stdout, ascii_only=options.ascii).show([END])
    return code


async def learn_first(options: argparse.Namespace, display: Display) -> None:
    """Give the lessons before a match to a player who has never been given one here.

    Where lines are typed they are only announced: their reader cannot be replaced again. So they
    are where nothing can be kept, or they would come before every match.
    """
    if progress.has_begun():
        return
    if progress.keep(progress.load()) or _are_lines(options):
        display.show([TOLD])
    else:
        await lessons(positions(), options, (FIRST, HOW))


def _are_lines(options: argparse.Namespace) -> bool:
    return options.plain or options.lines or not can_fill()


async def lessons(
    wanted: Sequence[Position], options: argparse.Namespace, said: Sequence[str] = (HOW,)
) -> int:
    """Give lessons where the options say; return 0 if all of them were solved, else 1."""
    screen = screen_on(sys.stdout, ascii_only=options.ascii)
    if _are_lines(options):
        lines = SharedLines(typed_lines(sys.stdin))
        try:
            screen.show(said)
            return await given(wanted, lines, screen)
        finally:
            await lines.close()
    async with full_screen(
        ascii_only=screen.ascii_only, mono=options.mono, still=options.still
    ) as stage:

        def seat(pupil: Pupil) -> None:
            stage.scene = scene_of(pupil)

        stage.show(said)
        return await given(wanted, stage.lines(), stage, seat)


def scene_of(pupil: Pupil) -> Playing:
    """Return what the full screen shows of a lesson: a match, and next to it what is sought."""
    position = pupil.position
    title = f"Lesson {position.number}: {position.lesson.title}"
    return Playing(
        pupil,
        title,
        lambda: (Panel("Task", pupil.reminder()),),
        lambda: NEXT if pupil.is_solved else "",
        lambda: pupil.answers,
    )


async def given(
    wanted: Sequence[Position],
    lines: AsyncIterator[str],
    display: Display,
    seat: Callable[[Pupil], None] = lambda _: None,
) -> int:
    """Give lessons until they are over or left; return 0 if all of them were solved, else 1.

    What is solved is kept at once.
    """
    missed = 0
    for position in wanted:
        pupil = Pupil(position, display)
        seat(pupil)
        display.show([*pupil.opening(), *pupil.session.board_lines(display)])
        display.draw()
        word = await _taught(pupil, lines, display)
        if pupil.is_solved:
            unkept = progress.keep(progress.with_solved(progress.load(), position.name))
            display.show([unkept] if unkept else [])
        if word is Word.QUIT:
            return 1
        missed += not pupil.is_solved
    display.show([END])
    return int(missed > 0)


async def _taught(pupil: Pupil, lines: AsyncIterator[str], display: Display) -> Word | None:
    """Answer what is typed until the lesson is solved and read, skipped or left.

    The end of what is typed is as leaving; `None` if it was solved.
    """
    async for line in lines:
        word = line.strip().lower()
        if pupil.is_solved and word in ENDING:
            return None
        if line == CTRL_D or word in (Word.QUIT, Word.SKIP):
            return Word.SKIP if word == Word.SKIP else Word.QUIT
        display.show(pupil.obey(line))
        display.draw()
    return None if pupil.is_solved else Word.QUIT


def _wanted(number: int | None, solved: tuple[str, ...]) -> list[Position]:
    """Return the lesson that is named, else those that are not solved, else all."""
    known = positions()
    if number is not None:
        named = [one for one in known if one.number == number]
        if not named:
            raise LessonError(f"there is no lesson {number}: they are 1 to {len(known)}")
        return named
    return [one for one in known if one.name not in solved] or list(known)


def _show_list(options: argparse.Namespace, solved: tuple[str, ...]) -> None:
    screen = screen_on(sys.stdout, ascii_only=options.ascii)
    for one in positions():
        mark = "solved" if one.name in solved else ""
        screen.show([f"{one.number:>3}  {mark:<6}  {one.lesson.title}"])
