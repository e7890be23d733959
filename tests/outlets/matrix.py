"""What each outlet of the server gives to each audience at each stage of a match: a table.

A row names an outlet, audiences, stages and what these cells give: the audience's own view, the
public one, the truth after its delay, nothing, a refusal by its code, or that there is no such
cell and why.
"""

import enum
import itertools
from typing import Final, final

import msgspec

from sunglare_protocol.messages.replies import (
    Accepted,
    Answer,
    Bye,
    Created,
    Frame,
    JudgedLesson,
    Ladder,
    LessonHint,
    Lessons,
    Matches,
    MatchInfo,
    News,
    OpenedLesson,
    Over,
    Piece,
    Pong,
    Queued,
    Refused,
    Resumed,
    Seated,
    Watching,
    Welcome,
)
from sunglare_protocol.refusals import Code


class Gives(enum.Enum):
    """What a cell gives."""

    OWN = "own view"
    PUBLIC = "public view"
    TRUTH = "truth after its delay"
    EMPTY = "nothing"
    ABSENT = "does not exist"


AUDIENCES: Final = ("A", "B", "out", "public", "omni", "nobody", "bot", "silent")
"""Two seats, one that has resigned, the public feed, the host with the truth feed, an account with
neither seat nor feed, the account of a house bot that plays elsewhere, and a connection that has
not said hello."""

STAGES: Final = (
    "lobby",
    "private",
    "joining",
    "past",
    "plot",
    "scan",
    "detect",
    "engage",
    "onward",
    "dropped",
    "resumed",
    "ended",
)
"""`private` is a lobby with a code; when `joining` all sit and have pledged but are not ready; it
is A's slot in `scan`; A's connection is `dropped` or has `resumed`. `past` is the lobby of a match
that is played on from another one, in which the accounts of A and B sat in each other's seats;
`onward` is the first window of such a match, so that all anybody is shown comes from the other."""

ANY: Final = "any"
"""The one stage of an outlet that has nothing to do with a match."""

BEFORE: Final = "lobby private joining past"
OPEN: Final = "lobby joining past"
LATE: Final = "plot scan detect engage dropped resumed"
WINDOWS: Final = "plot scan detect engage onward"
DURING: Final = f"{LATE} onward"
ALL: Final = " ".join(STAGES)
SEATED: Final = "A B out"
FOLLOWING: Final = f"{SEATED} public omni"
WITHOUT: Final = "public omni nobody bot"
FEEDS: Final = "watch public, watch omni, watch caster, watch a side"

SENDS: Final[dict[str, tuple[type, ...]]] = {
    "frames": (Frame,),
    "end": (Over,),
    "news": (News, Accepted, Refused),
    "draw offer": (Accepted,),
    "staging": (Accepted,),
    "snapshot": (Resumed, Frame, News, Over, Refused),
    "account": (Resumed, Frame, News, Over, Refused),
    "supersession": (Resumed, Frame, News, Over, Bye),
    "orders": (Refused,),
    "legal": (Answer, Refused),
    "preview": (Answer, Refused),
    "odds": (Answer, Refused),
    "why": (Answer, Refused),
    "look": (Answer, Refused),
    "review": (Answer, Refused),
    "sheet": (Answer, Refused),
    "list": (Matches, Refused),
    "info": (MatchInfo, Refused),
    "join": (Seated, Resumed, Frame, News, Over, Refused),
    "record": (Piece, Refused),
    "watch public": (Watching, Frame, News, Over, Refused),
    "watch omni": (Watching, Frame, News, Over, Refused),
    "watch caster": (Watching, Frame, News, Over, Refused),
    "watch a side": (Watching, Frame, News, Over, Refused),
    "create": (Created, Refused),
    "quick": (Queued, Accepted, Refused),
    "ladder": (Ladder, Refused),
    "lessons": (Lessons, OpenedLesson, LessonHint, JudgedLesson, Answer, Accepted, Refused),
    "hello": (Welcome, Refused),
    "ping": (Pong,),
    "closing": (News,),
    "rubbish": (Refused,),
    "plain HTTP": (),
    "log": (),
    "metrics": (),
}
"""The outlets, and the messages that leave through each."""

OF_NO_MATCH: Final = (
    "create",
    "quick",
    "ladder",
    "lessons",
    "hello",
    "ping",
    "closing",
    "rubbish",
    "plain HTTP",
    "log",
    "metrics",
)
"""The outlets that have nothing to do with a match."""

QUESTIONS: Final = "legal, preview, odds, why, look, review, sheet"


@final
class Row(msgspec.Struct, frozen=True):
    """What some outlets (by commas), audiences and stages (by blanks) give, and why."""

    outlets: str
    audiences: str
    stages: str
    gives: Gives | Code
    reason: str = ""

    def cells(self) -> tuple[tuple[str, str, str], ...]:
        """Return outlet, audience and stage of every cell."""
        parts = (self.outlets.split(", "), self.audiences.split(), self.stages.split())
        return tuple(itertools.product(*parts))


_OWN, _PUBLIC, _TRUTH, _EMPTY, _ABSENT = Gives

ROWS: Final = (
    Row(
        ", ".join(outlet for outlet in SENDS if outlet not in OF_NO_MATCH),
        "out",
        BEFORE,
        _ABSENT,
        "nobody is out before the start",
    ),
    # What comes by itself.
    Row("frames", "A B public omni", BEFORE, _EMPTY, "the first frame is the start"),
    Row("frames", "A B out", f"{WINDOWS} resumed ended", _OWN),
    Row("frames", "A", "dropped", _EMPTY, "an account without a seated connection"),
    Row("frames", "B out", "dropped", _OWN),
    Row("frames", "public", f"{DURING} ended", _PUBLIC),
    Row("frames", "omni", f"{LATE} ended", _TRUTH),
    Row("frames", "omni", "onward", _EMPTY, "the truth of its first turn waits as any other"),
    Row("frames", "nobody bot silent", ALL, _EMPTY),
    Row("end", "A B public omni", BEFORE, _EMPTY),
    Row("end", FOLLOWING, DURING, _EMPTY, "it reveals the seed"),
    Row("end", FOLLOWING, "ended", _PUBLIC),
    Row("end", "nobody bot silent", ALL, _EMPTY),
    Row("news", "A B public omni", BEFORE, _PUBLIC),
    Row("news", "A B out public", f"{WINDOWS} resumed", _PUBLIC),
    Row("news", "B out public", "dropped", _PUBLIC),
    Row("news", "A", "dropped", _EMPTY, "an account without a seated connection"),
    Row("news", "omni", DURING, _EMPTY, "what is said waits with the truth"),
    Row("news", FOLLOWING, "ended", _PUBLIC, "chat is open for a while after the end"),
    Row("news", "nobody bot silent", ALL, _EMPTY),
    # What the others do in secret.
    Row("draw offer", "A B public omni nobody bot silent", BEFORE, _ABSENT, "nothing to end"),
    Row("draw offer", " ".join(AUDIENCES), DURING, _EMPTY, "sealed until all have made it"),
    Row("draw offer", " ".join(AUDIENCES), "ended", _ABSENT, "nothing to end"),
    Row("staging", "A B public omni nobody bot silent", BEFORE, _ABSENT, "no window is open"),
    Row("staging", "A", "scan", _ABSENT, "the slot is A's own"),
    Row("staging", "B out public omni nobody bot silent", "scan", _EMPTY),
    Row("staging", "B", "dropped", _ABSENT, "nobody else is left to give orders"),
    Row("staging", "A out public omni nobody bot silent", "dropped", _EMPTY),
    Row("staging", " ".join(AUDIENCES), "plot detect engage onward resumed", _EMPTY),
    Row("staging", " ".join(AUDIENCES), "ended", _ABSENT, "no window is open"),
    # Coming back.
    Row("snapshot", "A B", BEFORE, _OWN),
    Row("snapshot", SEATED, f"{DURING} ended", _OWN),
    Row("snapshot", WITHOUT, ALL, Code.TICKET_BAD),
    Row("account", "A B", BEFORE, _OWN),
    Row("account", SEATED, f"{DURING} ended", _OWN, "the account's own seat"),
    Row("account", WITHOUT, ALL, Code.SEAT_NONE, "like a match that there is not"),
    Row("snapshot, account", "silent", ALL, Code.MESSAGE_EARLY),
    Row("supersession", "A B", BEFORE, _OWN),
    Row("supersession", SEATED, f"{WINDOWS} resumed ended", _OWN),
    Row("supersession", "B out", "dropped", _OWN),
    Row("supersession", "A", "dropped", _ABSENT, "no connection holds the seat"),
    Row("supersession", f"{WITHOUT} silent", ALL, _ABSENT, "no seat to be taken"),
    # Commands and questions.
    Row("orders", "A B", BEFORE, Code.MATCH_NOT_STARTED),
    Row("orders", "A B", "plot detect engage onward resumed", _OWN),
    Row("orders", "A", "scan", _OWN),
    Row("orders", "B", "scan", Code.WINDOW_OTHERS),
    Row("orders", "A", "dropped", Code.SEAT_NONE),
    Row("orders", "B", "dropped", _OWN),
    Row("orders", "out", DURING, Code.WINDOW_OTHERS),
    Row("orders", SEATED, "ended", Code.MATCH_OVER),
    Row(QUESTIONS, "A B", BEFORE, Code.MATCH_NOT_STARTED),
    Row(QUESTIONS, SEATED, f"{WINDOWS} resumed ended", _OWN),
    Row(QUESTIONS, "A", "dropped", Code.SEAT_NONE),
    Row(QUESTIONS, "B out", "dropped", _OWN),
    Row(f"orders, {QUESTIONS}", WITHOUT, ALL, Code.SEAT_NONE),
    Row(f"orders, {QUESTIONS}", "silent", ALL, Code.MESSAGE_EARLY),
    # The lobby.
    Row("list", "A B", BEFORE, _OWN),
    Row("list", SEATED, f"{DURING} ended", _OWN),
    Row("list", "omni", ALL, _PUBLIC, "the host's own room, with what the public knows"),
    Row("list", "public nobody bot", f"{OPEN} {DURING} ended", _PUBLIC),
    Row("list", "public nobody bot", "private", _EMPTY),
    Row("info", "A B", BEFORE, _OWN),
    Row("info", SEATED, f"{DURING} ended", _OWN),
    Row("info", "public omni", ALL, _PUBLIC, "of a private match for its code, or its host"),
    Row("info", "nobody bot", f"{OPEN} {DURING} ended", _PUBLIC),
    Row("join", "A B", BEFORE, Code.SEAT_ONE),
    Row("join", SEATED, f"{WINDOWS} resumed", Code.SEAT_ONE),
    Row("join", "A", "dropped", _OWN, "the account's own seat"),
    Row("join", SEATED, "ended", _OWN, "a seat of a match that is over holds nobody up"),
    Row("join", "B out", "dropped", Code.SEAT_ONE),
    Row("join", WITHOUT, "lobby past", _OWN),
    Row("join", WITHOUT, "private", Code.MATCH_UNKNOWN, "a wrong code is like no room"),
    Row("join", WITHOUT, "joining", Code.SEAT_TAKEN),
    Row("join", WITHOUT, f"{DURING} ended", Code.MATCH_STARTED),
    Row("list, info, join", "silent", ALL, Code.MESSAGE_EARLY),
    # Records and feeds.
    Row(f"info, record, {FEEDS}", "nobody bot", "private", Code.MATCH_UNKNOWN, "an id is no key"),
    Row("record", "A B", BEFORE, _OWN),
    Row("record", SEATED, DURING, _OWN, "the account's own frames"),
    Row("record", "public omni", f"{BEFORE} {DURING}", Code.RECORD_SEALED),
    Row("record", "nobody bot", f"{OPEN} {DURING}", Code.RECORD_SEALED),
    Row("record", f"{FOLLOWING} nobody bot", "ended", _TRUTH),
    Row("watch public", "A B public omni", BEFORE, _PUBLIC),
    Row("watch public", "nobody bot", OPEN, _PUBLIC),
    Row("watch public", f"{FOLLOWING} nobody bot", f"{DURING} ended", _PUBLIC),
    Row("watch omni", "A B public", BEFORE, Code.FEED_CLOSED),
    Row("watch omni", "nobody bot", OPEN, Code.FEED_CLOSED),
    Row("watch omni", f"{SEATED} public nobody bot", DURING, Code.FEED_CLOSED),
    Row("watch omni", "omni", f"{BEFORE} {LATE}", _TRUTH),
    Row("watch omni", "omni", "onward", _EMPTY, "the truth of its first turn waits as any other"),
    Row("watch omni", f"{FOLLOWING} nobody bot", "ended", _TRUTH),
    Row("watch caster, watch a side", "A B public omni", BEFORE, Code.FEED_CLOSED),
    Row("watch caster, watch a side", "nobody bot", OPEN, Code.FEED_CLOSED),
    Row("watch caster, watch a side", f"{FOLLOWING} nobody bot", DURING, Code.FEED_CLOSED),
    Row("watch caster", f"{FOLLOWING} nobody bot", "ended", _TRUTH),
    Row("watch a side", f"{FOLLOWING} nobody bot", "ended", _OWN, "the side's own, for all"),
    Row(
        f"record, {FEEDS}",
        "silent",
        ALL,
        Code.MESSAGE_EARLY,
    ),
    # Beside the matches.
    Row("create", f"{FOLLOWING} nobody bot", ANY, _OWN),
    Row("quick", f"{FOLLOWING} nobody bot", ANY, _OWN, "that one waits, not who else does"),
    Row("create, quick", "silent", ANY, Code.MESSAGE_EARLY),
    Row("ladder", f"{FOLLOWING} nobody bot", ANY, _PUBLIC, "of matches that are over"),
    Row("ladder", "silent", ANY, Code.MESSAGE_EARLY),
    Row("lessons", f"{FOLLOWING} nobody bot", ANY, _PUBLIC, "positions of other matches, for all"),
    Row("lessons", "silent", ANY, Code.MESSAGE_EARLY),
    Row("hello", f"{FOLLOWING} nobody bot", ANY, Code.HELLO_AGAIN),
    Row("hello", "silent", ANY, Code.HELLO_TOKEN, "with a token that nobody has"),
    Row("ping", " ".join(AUDIENCES), ANY, _PUBLIC, "the time"),
    Row("closing", f"{FOLLOWING} nobody bot", ANY, _PUBLIC, "the operator's words, and a time"),
    Row("closing", "silent", ANY, _EMPTY, "whoever has not said hello is told nothing"),
    Row("rubbish", " ".join(AUDIENCES), ANY, Code.MESSAGE_MALFORMED),
    Row("plain HTTP", FOLLOWING, ANY, _ABSENT, "a plain request comes from nobody"),
    Row("plain HTTP", "nobody bot", ANY, _ABSENT, "a plain request comes from nobody"),
    Row("plain HTTP", "silent", ANY, _PUBLIC, "alive or not, and nothing else"),
    Row("log", " ".join(AUDIENCES), ANY, _ABSENT, "log lines are the operator's"),
    Row("metrics", " ".join(AUDIENCES), ANY, _ABSENT, "they are the operator's, on another port"),
)
"""The whole matrix."""

Cell = tuple[str, str, str]
"""Outlet, audience and stage."""


def wanted_cells() -> tuple[Cell, ...]:
    """Return every cell that the matrix must have, once each."""
    return tuple(
        (outlet, audience, stage)
        for outlet in SENDS
        for audience in AUDIENCES
        for stage in ((ANY,) if outlet in OF_NO_MATCH else STAGES)
    )


def listed_cells() -> tuple[tuple[Cell, Gives | Code], ...]:
    """Return every cell of the rows, in their order, with what it gives."""
    return tuple((cell, row.gives) for row in ROWS for cell in row.cells())
