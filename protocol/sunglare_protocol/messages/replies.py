"""The messages of the server, one class each; `t` names the kind."""

from typing import final

import msgspec

from sunglare_protocol.geometry import Board
from sunglare_protocol.ids import Audience, MatchId, Side, WindowId
from sunglare_protocol.messages.answers import AnswerBody, Sheet
from sunglare_protocol.messages.commands import Listing
from sunglare_protocol.messages.lessons import LessonLine
from sunglare_protocol.notices.space import Notice
from sunglare_protocol.orders.space import Order
from sunglare_protocol.refusals import Code
from sunglare_protocol.views.space import TruthView, View
from sunglare_protocol.word import Word
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.specials import Specials

__all__ = [
    "Accepted",
    "Answer",
    "Bye",
    "ClassCard",
    "Created",
    "Ending",
    "Frame",
    "JudgedLesson",
    "Ladder",
    "LadderLine",
    "LessonHint",
    "Lessons",
    "Limits",
    "MatchInfo",
    "MatchLine",
    "Matches",
    "News",
    "NewsKind",
    "OpenedLesson",
    "Origin",
    "Over",
    "Piece",
    "Pong",
    "Queued",
    "Refused",
    "Result",
    "ResumeKind",
    "Resumed",
    "RoomState",
    "ScenarioCard",
    "SeatInfo",
    "SeatState",
    "Seated",
    "ServerMessage",
    "Watching",
    "WeaponClass",
    "Welcome",
]


class _Server(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="t", gc=False
):
    pass


@final
class Limits(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What this server takes: bytes and orders of a message, characters of texts.

    `ask_points` is what the answers to a seat's questions may cost in a window, and to those of an
    account about lessons; so many of them come back each second. `answer_bytes` is the longest
    `sheet` or `legal`, as JSON text.
    """

    message_bytes: int
    orders: int
    name: int
    chat: int
    ask_points: int = 0
    ask_points_per_second: int = 0
    answer_bytes: int = 0


@final
class Welcome(_Server, frozen=True, tag="welcome"):
    """The answer to `hello`: who the caller is. `time_ms` is the server's clock."""

    id: int
    v: int
    name: str
    token: str
    time_ms: int
    limits: Limits
    bots: tuple[str, ...] = ()


@final
class Accepted(_Server, frozen=True, tag="accepted"):
    """The command is taken and, if it belongs to a match, on disk."""

    id: int
    window: WindowId | None = None
    rev: int | None = None


@final
class Refused(_Server, frozen=True, tag="refused"):
    """The command is not taken: a code, where in the message, why, and what would be right.

    With `retry_ms` it came too soon, and may be sent again after that time.
    """

    id: int
    code: Code
    text: str
    at: str = "$"
    choices: tuple[str, ...] = ()
    retry_ms: int = 0


class SeatState(Word):
    """Whether a seat is free, held by an account or held by a bot of the server."""

    FREE = "free"
    ACCOUNT = "account"
    BOT = "bot"


@final
class SeatInfo(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """One seat: its side, who holds it, and whether it is ready to start.

    `watched_by` are the names of those whom the seat lets see its own view. `bot` says of an
    account's seat that a program plays it, as that has said in its `hello`.
    """

    side: Side
    state: SeatState
    name: str = ""
    ready: bool = False
    watched_by: tuple[str, ...] = ()
    bot: bool = False

    @property
    def is_of_bot(self) -> bool:
        """Return whether a bot plays it: the server's, or one that says so itself."""
        return self.bot or self.state is SeatState.BOT


class RoomState(Word):
    """Where a match is in its life."""

    LOBBY = "lobby"
    RUNNING = "running"
    OVER = "over"


@final
class Origin(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The match, and the turn of it, from which another is played on, or will be."""

    match: MatchId
    turn: int


class Ending(Word):
    """Why a match ended."""

    TURNS = "turns"
    LAST_SIDE = "last_side"
    OCCUPIED = "occupied"
    PIECE_LOST = "piece_lost"
    RESIGNED = "resigned"
    DRAW = "draw"
    ADJOURNED = "adjourned"
    FORFEIT = "forfeit"
    NO_GAME = "no_game"


@final
class Result(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """How a match ended: the winner (none: a draw), why, and the points of all sides."""

    winner: Side | None
    ending: Ending
    points: dict[Side, int]


@final
class MatchLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """One line of a list; `your_turn` and `awaits_bot` are set in the caller's own only.

    `awaits_bot` says that a program took the caller's seat, and that no connection holds it now.
    A match that is played on from another one, and so is unrated, says `from` where. One that is
    `rated` counts for the ratings of those who sit in it, if it gets past turn 1. `turn` and
    `phase` are those of the newest frame that the caller's seat, or else the public, was sent of a
    match that runs. One that is over has its `result`, unless an older server ended it.
    """

    match: MatchId
    scenario: str
    state: RoomState
    seats: tuple[SeatInfo, ...]
    title: str = ""
    clock: str = ""
    turn: int = 0
    phase: Phase | None = None
    mine: Side | None = None
    your_turn: bool = False
    awaits_bot: bool = False
    origin: Origin | None = msgspec.field(name="from", default=None)
    rated: bool = False
    result: Result | None = None


@final
class Matches(_Server, frozen=True, tag="matches"):
    """The answer to `list`: the lists asked for.

    `more` has, for each of them that goes on, what to send as `after`. What is over comes the
    newest first, and after all else of the caller's own.
    """

    id: int
    open: tuple[MatchLine, ...] = ()
    running: tuple[MatchLine, ...] = ()
    mine: tuple[MatchLine, ...] = ()
    over: tuple[MatchLine, ...] = ()
    lively: tuple[MatchLine, ...] = ()
    more: dict[Listing, str] = {}


@final
class LadderLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """How strong a player is: a rating, and the interval that holds it in 95 of 100 cases.

    A player without a match is 1500, and somewhere from 500 to 2500. `matches` is how many rated
    matches it rests on, `bot` says that it is a bot: the server's, or one that says so itself.
    `rank` counts by the lower end.
    """

    rank: int
    name: str
    rating: int
    low: int
    high: int
    matches: int
    bot: bool = False


@final
class Ladder(_Server, frozen=True, tag="ladder"):
    """The answer to `ladder`: a family's ladder, or without one that there are no ratings yet.

    `families` are those in which there are ratings. `mine` is the caller's own line, wherever it
    is; it is absent if the caller has no rating there. With `more` the ladder goes on.
    """

    id: int
    family: str | None = None
    families: tuple[str, ...] = ()
    lines: tuple[LadderLine, ...] = ()
    mine: LadderLine | None = None
    more: bool = False


@final
class Queued(_Server, frozen=True, tag="queued"):
    """The answer to `quick`: the caller waits, or has a seat in `match` that is kept for them.

    With a seat, send `join` and then `ready` within `ready_ms` of this answer's first arrival.
    Otherwise ask again after `again_ms`.
    """

    id: int
    match: MatchId | None = None
    again_ms: int = 0
    ready_ms: int = 0


@final
class ScenarioCard(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """What is public of a scenario before turn 1.

    `options` are those in force; `unusual` names those that are not what they are by default.
    """

    name: str
    title: str
    brief: str
    turns: int
    board: Board
    sides: tuple[Side, ...]
    zones: dict[Side, tuple[str, ...]]
    options: dict[str, str]
    unusual: tuple[str, ...] = ()


@final
class WeaponClass(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A weapon of a class, for the catalogue."""

    id: str
    kind: str
    rank: int = 1
    arc: str | None = None
    turret: str | None = None
    needs: str | None = None


@final
class ClassCard(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One of the own classes: the figures that do not change in play.

    `family` is the type as which others identify it.
    """

    name: str
    size: str
    hull: int
    thrust: int
    points: int
    weapons: tuple[WeaponClass, ...]
    family: str = ""
    specials: Specials = ()


@final
class MatchInfo(_Server, frozen=True, tag="match"):
    """The answer to `info`.

    Of a match that is over, `rematch` are the sides that wish another one, and `next` is that one
    once it is open.
    """

    id: int
    line: MatchLine
    card: ScenarioCard
    rematch: tuple[Side, ...] = ()
    next: MatchId | None = None


@final
class Created(_Server, frozen=True, tag="created"):
    """The answer to `create`; a private match is joined by its code."""

    id: int
    match: MatchId
    code: str | None = None


@final
class Seated(_Server, frozen=True, tag="seated"):
    """The answer to `join`: the seat, its ticket, and the server's commitment to the dice.

    `rated` says that the match counts for the caller's rating, once turn 1 is over.
    """

    id: int
    match: MatchId
    side: Side
    ticket: str
    commitment: str
    card: ScenarioCard
    classes: tuple[ClassCard, ...] = ()
    rated: bool = False


@final
class Watching(_Server, frozen=True, tag="watching"):
    """The answer to `watch`: the feed and its delay; then frames, from a keyframe on."""

    id: int
    match: MatchId
    feed: Audience
    card: ScenarioCard
    delay_turns: int = 0
    delay_s: int = 0


@final
class Lessons(_Server, frozen=True, tag="lessons"):
    """The answer to `lesson` with `list`: all lessons, in the order in which they teach."""

    id: int
    lessons: tuple[LessonLine, ...]


@final
class Answer(_Server, frozen=True, tag="answer"):
    """The answer to `ask`: for which window it holds, and what it cost of the seat's points.

    That to `lesson` with `ask` is one too; its `match` is that of the lesson's frame.
    """

    id: int
    match: MatchId
    answer: AnswerBody
    window: WindowId | None = None
    cost: int = 0


class ResumeKind(Word):
    """Whether all missed frames follow or one keyframe that replaces the picture."""

    EXACT = "exact"
    RESET = "reset"


@final
class Resumed(_Server, frozen=True, tag="resumed"):
    """The answer to `resume`, and to `join` if the match has started and the seat is the caller's.

    The missed posts or a keyframe follow: those numbered up to `seq`, while what is numbered
    higher comes as it happens. `ticket` is the next ticket; without one those given before stay
    good. `since_ms` ago the newest of them was released that says when the window closes.
    `last_id` is the highest command id of this seat that was accepted, or may still be. `window`
    is the open window, and `rev`, `locked` and `orders` are what the server holds of the seat for
    it.
    """

    id: int
    match: MatchId
    side: Side
    kind: ResumeKind
    since_ms: int
    last_id: int
    card: ScenarioCard
    ticket: str | None = None
    seq: int = 0
    window: WindowId | None = None
    rev: int = 0
    locked: bool = False
    orders: tuple[Order, ...] = ()
    classes: tuple[ClassCard, ...] = ()


@final
class Piece(_Server, frozen=True, tag="piece"):
    """A part of the record file; the one with `last` set ends it."""

    id: int
    match: MatchId
    from_byte: int
    data: bytes
    last: bool = False


@final
class Pong(_Server, frozen=True, tag="pong"):
    """The answer to `ping`: the server's clock in milliseconds, as it leaves."""

    id: int
    time_ms: int


FrameView = View | TruthView
"""What a frame shows: an audience's view, or the truth."""


@final
class Frame(_Server, frozen=True, tag="frame"):
    """The whole view after a window has closed; it announces the window named.

    `closes_ms` is when it closes for the receiver, counted from the frame's own release, and
    `bank_ms` what the receiver has in the bank. `latest_ms` is when it closes for all seats, at
    the latest; `banks` are those of all seats at the end of the last turn, rounded up to 5 s. With
    a clock that has no banks both are absent. `pad` fills the message up.
    """

    match: MatchId
    seq: int
    turn: int
    window: WindowId
    closes_ms: int
    bank_ms: int
    view: FrameView
    notices: tuple[Notice, ...] = ()
    latest_ms: int | None = None
    banks: dict[Side, int] = {}
    pad: str = ""


@final
class OpenedLesson(_Server, frozen=True, tag="lesson"):
    """The answer to `lesson` with `open`: the story, the task and the position.

    `frame` is what the side of the lesson was sent, `sheets` those of its pieces before any order.
    What solves it is not among this.
    """

    id: int
    line: LessonLine
    story: str
    task: str
    frame: Frame
    sheets: tuple[Sheet, ...] = ()


@final
class LessonHint(_Server, frozen=True, tag="lesson_hint"):
    """The answer to `lesson` with `hint`; `tries` are lines of the terminal that show more."""

    id: int
    hint: str
    tries: tuple[str, ...] = ()


@final
class JudgedLesson(_Server, frozen=True, tag="lesson_judged"):
    """The answer to `lesson` with `answer`: whether it is solved, or what is said of the orders.

    Once it is solved, `idea` is what it teaches, and `frames` are what came next in its match.
    """

    id: int
    solved: bool
    said: str = ""
    idea: str = ""
    frames: tuple[Frame, ...] = ()


class NewsKind(Word):
    """What no window brings."""

    CHAT = "chat"
    SEAT = "seat"
    PAUSE = "pause"
    DRAW = "draw"
    CLOCK = "clock"
    SERVER = "server"


@final
class News(_Server, frozen=True, tag="news"):
    """Something with a public cause, in the same sequence as the frames (0: outside it).

    With news that move the clock, `closes_ms` is when the open window closes for the receiver,
    counted from their own release. News of the whole server have an empty `match`; where it is to
    end, `ends_ms` is when, counted likewise.
    """

    match: MatchId
    seq: int
    kind: NewsKind
    side: Side | None = None
    text: str = ""
    closes_ms: int | None = None
    ends_ms: int | None = None


@final
class Over(_Server, frozen=True, tag="over"):
    """The end: the result, the revealed server seed and the head of the record's chain."""

    match: MatchId
    seq: int
    result: Result
    seed: str
    head: str


@final
class Bye(_Server, frozen=True, tag="bye"):
    """The last message of a connection; `retry_ms`: come back after a random time up to it."""

    code: Code
    text: str
    retry_ms: int | None = None


ServerMessage = (
    Welcome
    | Accepted
    | Refused
    | Matches
    | MatchInfo
    | Ladder
    | Queued
    | Created
    | Seated
    | Watching
    | Answer
    | Lessons
    | OpenedLesson
    | LessonHint
    | JudgedLesson
    | Resumed
    | Piece
    | Pong
    | Frame
    | News
    | Over
    | Bye
)
"""Everything the server may say; a socket takes nothing else."""
