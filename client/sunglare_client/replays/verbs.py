"""The commands of a replay as a table: one row each, and how a typed line finds it."""

import difflib
from collections.abc import Callable
from typing import NamedTuple, final

from sunglare_client.replays.viewer import Viewer
from sunglare_client.verbs.words import Misread, Words

Lines = list[str]


@final
class ReplayVerb(NamedTuple):
    """A command: its name and alias, how it is used, what it means, and what it does."""

    name: str
    alias: str
    usage: str
    example: str
    meaning: str
    act: Callable[[Viewer, Words], Lines]


@final
class Leave(Exception):
    """The viewer has had enough."""


def obey(viewer: Viewer, line: str) -> Lines:
    """Do what a line says and return what to show; an empty one goes on. Raise `Leave`."""
    first, *rest = line.split("#", 1)[0].split() or ["next"]
    found = _called(first.lower())
    if not isinstance(found, ReplayVerb):
        return [_unknown(first, found)]
    words = Words(found.name, rest)
    try:
        shown = found.act(viewer, words)
    except Misread as misread:
        return [misread.problem.text]
    return shown


def help_lines() -> Lines:
    """Return the list of the commands."""
    rows = [f"  {row.name:<9}{row.alias:<5}{row.example:<20}{row.meaning}" for row in ROWS]
    return ["command  short example             meaning", *rows, _HABITS]


HELP_LINE = (
    "Enter next window, b back, t 7 turn 7, m next key moment, e A eyes of A, map, pieces, "
    "? help, q quit"
)
"""What is said under the first window."""

_HABITS = "Any unambiguous beginning of a command will do; Enter alone goes on to the next window."


def _called(word: str) -> ReplayVerb | tuple[ReplayVerb, ...]:
    exact = [row for row in ROWS if word in (row.name, row.alias)]
    meant = exact or [row for row in ROWS if row.name.startswith(word)]
    return meant[0] if len(meant) == 1 else tuple(meant)


def _unknown(word: str, meant: tuple[ReplayVerb, ...]) -> str:
    names = [row.name for row in meant] or difflib.get_close_matches(
        word, [row.name for row in ROWS], n=2, cutoff=0.55
    )
    more = f" Did you mean {' or '.join(names)}?" if names else " Try: help"
    return f"E-VERB    There is no command {word!r}.{more}"


def _done(words: Words, lines: Lines) -> Lines:
    words.done()
    return lines


def _count(words: Words, what: str) -> int:
    word = words.word(what)
    if not (word.isascii() and word.isdecimal() and len(word) < _DIGITS_MOST):
        words.fail("E-ARG", f"'{word}' is no {what}")
    return int(word)


_DIGITS_MOST = 7


def _next(viewer: Viewer, words: Words) -> Lines:
    count = _count(words, "number of windows") if words.more else 1
    words.done()
    return viewer.go(viewer.index + count)


def _back(viewer: Viewer, words: Words) -> Lines:
    count = _count(words, "number of windows") if words.more else 1
    words.done()
    return viewer.go(viewer.index - count)


def _turn(viewer: Viewer, words: Words) -> Lines:
    turn = _count(words, "turn")
    words.done()
    index = viewer.recording.index_of_turn(turn)
    if index is None:
        first, last = viewer.recording.steps[0].turn, viewer.recording.steps[-1].turn
        words.fail("E-ARG", f"there is no turn {turn}, only {first} to {last}")
    return viewer.go(index)


def _moment(viewer: Viewer, words: Words) -> Lines:
    direction = words.pick("way", {"next": 1, "back": -1}) if words.more else 1
    words.done()
    return viewer.go_to_moment(direction)


def _moments(viewer: Viewer, words: Words) -> Lines:
    return _done(words, viewer.moment_lines())


def _eyes(viewer: Viewer, words: Words) -> Lines:
    if not words.more:
        return viewer.eyes_lines()
    eyes = words.pick(
        "side or feed of this replay", {name: name for name in viewer.recording.eyes}
    )
    words.done()
    return viewer.look_through(eyes)


def _map(viewer: Viewer, words: Words) -> Lines:
    place = words.rest()
    if place and not viewer.focus_on(place):
        words.fail("E-ARG", f"'{place}' is no piece, body, box or x,y of this board")
    return viewer.map_lines()


def _zoom(viewer: Viewer, words: Words) -> Lines:
    viewer.zoom = words.pick("scale", {"0": 0, "1": 1, "2": 2})
    return _done(words, viewer.map_lines())


def _surface(viewer: Viewer, words: Words) -> Lines:
    return _done(words, viewer.surface_lines())


def _pieces(viewer: Viewer, words: Words) -> Lines:
    return _done(words, viewer.piece_lines())


def _story(viewer: Viewer, words: Words) -> Lines:
    return _done(words, viewer.story_lines())


def _first(viewer: Viewer, words: Words) -> Lines:
    words.done()
    return viewer.go(0)


def _last(viewer: Viewer, words: Words) -> Lines:
    words.done()
    return viewer.go(len(viewer.recording.steps) - 1)


def _help(viewer: Viewer, words: Words) -> Lines:
    del viewer
    return _done(words, help_lines())


def _legend(viewer: Viewer, words: Words) -> Lines:
    return _done(words, viewer.legend_lines())


def _quit(viewer: Viewer, words: Words) -> Lines:
    del viewer
    words.done()
    raise Leave


ROWS: tuple[ReplayVerb, ...] = (
    ReplayVerb("next", "n", "[windows]", "next", "the next window, or so many on", _next),
    ReplayVerb("back", "b", "[windows]", "back 5", "the window before, or so many back", _back),
    ReplayVerb("turn", "t", "<number>", "turn 7", "the start of a turn", _turn),
    ReplayVerb("moment", "m", "[next|back]", "moment back", "the next key moment", _moment),
    ReplayVerb("moments", "", "", "moments", "list the key moments", _moments),
    ReplayVerb("first", "", "", "first", "the first window", _first),
    ReplayVerb("last", "", "", "last", "the last window, and how it ended", _last),
    ReplayVerb("eyes", "e", "[whose]", "eyes A", "whose eyes; alone: whose there are", _eyes),
    ReplayVerb("story", "s", "", "story", "what happened in this window again", _story),
    ReplayVerb("map", "ma", "[place]", "map E4", "the map, around a piece or place", _map),
    ReplayVerb(
        "zoom", "z", "0|1|2", "zoom 0", "0: a cell is a box; 1, 2: columns a square", _zoom
    ),
    ReplayVerb("surface", "su", "", "surface", "the surface maps with anything on them", _surface),
    ReplayVerb("pieces", "p", "", "pieces", "list all pieces that these eyes know", _pieces),
    ReplayVerb("legend", "", "", "legend", "the shapes on the map now", _legend),
    ReplayVerb("help", "?", "", "help", "this list", _help),
    ReplayVerb("quit", "q", "", "quit", "leave", _quit),
)
"""Every command there is, in the order of the help."""
