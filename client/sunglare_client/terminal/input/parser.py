"""The command grammar: a line that a person typed, as a command or as an error that teaches."""

import re

from sunglare_client.command import Command, Problem
from sunglare_client.terminal.examples import example_of, verbs_with_orders
from sunglare_client.verbs.reading import Reader
from sunglare_client.verbs.table import FREE_TEXT, HINTS, close_to, verb_called
from sunglare_client.verbs.verb import Verb
from sunglare_client.verbs.words import MISSING, Misread
from sunglare_protocol.orders import Order
from sunglare_protocol.views import View

AGAIN = "!!"
"""What stands for the line before."""

_COMMENT = re.compile(r"(?:^|\s)#.*$")


def split_line(line: str, last: str = "") -> list[str]:
    """Return the commands of a line: parted at `;`, without comments, `!!` replaced by `last`.

    What follows `say` and `note` is text to the end of the line.
    """
    left = line.strip()
    if left == AGAIN:
        left = last.strip()
    commands: list[str] = []
    while left:
        if _takes_text(left):
            return [*commands, left]
        command, _, left = left.partition(";")
        if _COMMENT.search(command):
            command, left = _COMMENT.sub("", command), ""
        if command.strip():
            commands.append(command.strip())
        left = left.strip()
    return commands


def parse(text: str, view: View, plan: tuple[Order, ...] = ()) -> Command | Problem:
    """Return the command that one command's text means in the open window of `view`.

    `plan` is what has been ordered so far: the aids for typing build on it. Nothing is checked
    that `sunglare_rules.advice` checks.
    """
    word, words = _words(text)
    found = verb_called(word)
    if isinstance(found, tuple):
        return _unknown(word, found, view, plan, text)
    if found.windows and view.stage.phase not in found.windows:
        return _elsewhere(found, view)
    try:
        return _read(found, words, view, plan)
    except Misread as misread:
        return misread.problem._replace(example=example(found, view, plan, text))


def example(verb: Verb, view: View, plan: tuple[Order, ...], typed: str) -> str:
    """Return a line with that verb that would be taken on this view; empty if none is found.

    It is about the own piece that `typed`, the line that was wrong, is about.
    """

    def read(line: str) -> Command:
        word, words = _words(line)
        found = verb_called(word)
        if isinstance(found, tuple):
            raise Misread(Problem("E-VERB", line))
        return _read(found, words, view, plan)

    if verb.windows and view.stage.phase not in verb.windows:
        return ""
    return example_of(verb, view, plan, typed, read)


def choices_after(text: str, view: View, plan: tuple[Order, ...]) -> tuple[str, ...]:
    """Return the words that may come next in a command that is not finished."""
    word, words = _words(text)
    verb = verb_called(word)
    if isinstance(verb, tuple) or (verb.windows and view.stage.phase not in verb.windows):
        return ()
    try:
        _read(verb, words, view, plan)
    except Misread as misread:
        return misread.problem.choices if misread.problem.code == MISSING else ()
    return ()


def _read(verb: Verb, words: list[str], view: View, plan: tuple[Order, ...]) -> Command:
    """Return the command that the words after a verb mean, or raise `Misread`."""
    reader = Reader(verb.name, words, view, plan)
    command = verb.read(reader)
    reader.done()
    return command


def _takes_text(text: str) -> bool:
    return text[0] == "'" or text.split()[0].lower() in FREE_TEXT


def _words(text: str) -> tuple[str, list[str]]:
    """Return the verb and the words after it; `'` and `?` need no blank behind them."""
    if text[:1] in ("'", "?") and text[1:2].strip():
        text = f"{text[0]} {text[1:]}"
    verb, *words = text.split() or [""]
    if verb.endswith("!") and verb not in ("!", AGAIN):
        verb, words = verb[:-1], ["!", *words]
    return verb.lower(), words


def _unknown(
    word: str, meant: tuple[Verb, ...], view: View, plan: tuple[Order, ...], typed: str
) -> Problem:
    if meant:
        names = " or ".join(verb.name for verb in meant)
        shown = (example(verb, view, plan, typed) for verb in meant)
        found = next((line for line in shown if line), "")
        return Problem("E-VERB", f"'{word}' may mean {names}.", example=found)
    close = close_to(word)
    right = HINTS.get(word) or (f"Did you mean {' or '.join(close)}?" if close else "Try: help")
    return Problem("E-VERB", f"no command '{word}'.", right)


def _elsewhere(verb: Verb, view: View) -> Problem:
    windows = " and ".join(window.value.upper() for window in verb.windows)
    now = ", ".join((*verbs_with_orders(view), "ready", "look"))
    wrong = f"'{verb.name}' belongs to the {windows} window; "
    return Problem(
        "E-PHASE", f"{wrong}this is {view.stage.phase.value.upper()}.", f"Now you can: {now}."
    )
