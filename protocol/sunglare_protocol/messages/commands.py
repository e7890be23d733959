"""The messages of a client, one class each; `t` names the kind.

Every one carries `id`, rising within a seat; the answer carries the same `id`.
"""

from typing import Annotated, final

import msgspec

from sunglare_protocol.ids import OMNI, Audience, MatchId, Side, WindowId
from sunglare_protocol.orders.space import Order
from sunglare_protocol.word import Word

__all__ = [
    "INBOUND_BYTES",
    "LINES_MOST",
    "ORDERS_MOST",
    "PROTOCOL_VERSION",
    "SUBPROTOCOL",
    "SUBPROTOCOL_COMPACT",
    "SUBPROTOCOL_JSON",
    "WEBHOOK_MOST",
    "AddBot",
    "Ask",
    "AskLadder",
    "AskPause",
    "Chat",
    "ClientMessage",
    "Create",
    "FetchRecord",
    "Forget",
    "From",
    "GiveOrders",
    "GrantFeed",
    "Hello",
    "Info",
    "Join",
    "Leave",
    "LessonAct",
    "ListMatches",
    "Listing",
    "Mute",
    "OfferDraw",
    "Ping",
    "Question",
    "QuickMatch",
    "Ready",
    "Rematch",
    "Renew",
    "Report",
    "Resign",
    "Resume",
    "Reveal",
    "RevokeFeed",
    "SetWebhook",
    "TakeLesson",
    "Unquick",
    "Watch",
]

PROTOCOL_VERSION = 1
"""The version of the messages; `hello` names the one the client speaks."""

SUBPROTOCOL = "sunglare.v1"
"""The WebSocket subprotocol of binary MessagePack messages."""

SUBPROTOCOL_JSON = "sunglare.v1.json"
"""The same messages as JSON text."""

SUBPROTOCOL_COMPACT = "sunglare.v1.compact"
"""The same messages as MessagePack, but that a frame may come as a change of the one before."""

INBOUND_BYTES = 32 * 1024
"""The longest message a client may send."""

ORDERS_MOST = 512
"""The most orders in one message."""

WEBHOOK_MOST = 512
"""The most characters of a webhook's address."""

LINES_MOST = 100
"""The most lines of a list of matches in one answer."""

CommandId = Annotated[int, msgspec.Meta(ge=0, lt=2**53)]
Text = Annotated[str, msgspec.Meta(max_length=500)]
Name = Annotated[str, msgspec.Meta(max_length=120)]
Secret = Annotated[str, msgspec.Meta(max_length=128)]
Orders = Annotated[tuple[Order, ...], msgspec.Meta(max_length=ORDERS_MOST)]
Pledge = Annotated[str, msgspec.Meta(max_length=64, pattern="^[0-9a-f]{64}$")]


# Servers refuse fields that they do not know. So a message that got one after 0.1.0 leaves out
# what it does not use: an older server, or a worker one release behind its gateway, reads it.
class _Client(
    msgspec.Struct, frozen=True, kw_only=True, tag_field="t", forbid_unknown_fields=True, gc=False
):
    id: CommandId


@final
class Hello(_Client, frozen=True, tag="hello"):
    """Open the talk; a token makes the caller the person who was given it.

    `bot` says that a program plays on this connection; all audiences see that of its seats.
    """

    v: int
    client: Name = ""
    name: Name | None = None
    token: Secret | None = None
    bot: bool = False


@final
class Forget(_Client, frozen=True, tag="forget"):
    """Delete the caller's name and token; the matches keep "someone"."""


@final
class Renew(_Client, frozen=True, tag="renew"):
    """Give the caller's account another token: the one whose SHA-256 this is, in hexadecimal.

    The old token, every ticket of the account's seats and all its connections end with that.
    """

    token_hash: Pledge


@final
class SetWebhook(_Client, frozen=True, tag="webhook"):
    """Name an address that is called when a match by correspondence waits for the caller.

    `url` is of https; without one the calls end.
    """

    url: Annotated[str, msgspec.Meta(max_length=WEBHOOK_MOST)] | None = None


class Listing(Word):
    """The lists of matches: those that wait for seats, that run, that are yours, that are over.

    `lively` has those that run with the most eventful first: by the entries of the public record
    of the last three turns, as far as they were shown; of equal ones the one that runs longest.
    """

    OPEN = "open"
    RUNNING = "running"
    MINE = "mine"
    OVER = "over"
    LIVELY = "lively"


@final
class ListMatches(_Client, frozen=True, tag="list"):
    """Ask for the matches of a list, or for the beginnings of the lists `open`, `running`, `mine`.

    At most so many lines of each are listed; `after` is where `matches.more` says to go on. It
    never says so of `lively`, whose order changes all the time.
    """

    which: Listing | None = None
    after: Name | None = None
    most: Annotated[int, msgspec.Meta(ge=1, le=LINES_MOST)] = LINES_MOST


@final
class Info(_Client, frozen=True, tag="info", omit_defaults=True):
    """Ask for one match's card and seats; a private one is shown with its `code`."""

    match: MatchId
    code: Name | None = None


@final
class AskLadder(_Client, frozen=True, tag="ladder"):
    """Ask for the ladder of a family: how strong those are who have played rated matches of it.

    Without a `family` it is the first one of `ladder.families`. At most so many lines are listed,
    from the rank behind `after` on.
    """

    family: Name | None = None
    after: Annotated[int, msgspec.Meta(ge=0, lt=2**31)] = 0
    most: Annotated[int, msgspec.Meta(ge=1, le=LINES_MOST)] = LINES_MOST


@final
class QuickMatch(_Client, frozen=True, tag="quick"):
    """Wait for opponents of about the caller's strength, or go on waiting for them.

    Say it again every `queued.again_ms`: who falls silent waits no longer. `rated`: the match
    counts for ratings.
    """

    family: Name
    rated: bool = True


@final
class Unquick(_Client, frozen=True, tag="unquick"):
    """Wait for a quick match no longer."""


@final
class From(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    gc=False,
):
    """A turn of a match that is over, from whose beginning it is played on.

    A private match takes its `code` as well.
    """

    match: MatchId
    turn: Annotated[int, msgspec.Meta(ge=1, lt=2**31)]
    code: Name | None = None


@final
class Create(_Client, frozen=True, tag="create"):
    """Open a lobby match on a scenario, or `from` a turn of a match that is over.

    With `from` the scenario is that of the match, whether it is named or not. A `rated` match
    counts for the ratings of those who sit in it.
    """

    scenario: Name = ""
    origin: From | None = msgspec.field(name="from", default=None)
    options: dict[str, str | int | bool] = {}
    title: Text = ""
    private: bool = False
    rated: bool = False


@final
class Join(_Client, frozen=True, tag="join"):
    """Take a seat, by match or by code, of a private match by its code or by both.

    `pledge` is the hash of the seat's entropy, 64 hexadecimal digits in small letters.
    """

    match: MatchId | None = None
    code: Name | None = None
    side: Side | None = None
    pledge: Pledge | None = None


@final
class Reveal(_Client, frozen=True, tag="reveal"):
    """Reveal the entropy that was pledged with `join`, as hexadecimal digits."""

    match: MatchId
    entropy: Secret


@final
class AddBot(_Client, frozen=True, tag="bot"):
    """Seat a bot of the server's list."""

    match: MatchId
    name: Name
    side: Side | None = None


@final
class Watch(_Client, frozen=True, tag="watch", omit_defaults=True):
    """Follow a feed: `public`, `omni`, `caster`, or the letter of a side for its own view.

    `have` is the last sequence number received. A private match takes its `code` as well.
    """

    match: MatchId
    feed: Audience
    have: int | None = None
    code: Name | None = None


@final
class GrantFeed(_Client, frozen=True, tag="grant"):
    """Let an account watch a feed before the end; all seats are informed.

    `omni` is granted by who opened the match, the letter of a side by the seat of that side, and
    `caster` by the operator alone. `name` is what the other goes by on this server.
    """

    match: MatchId
    name: Name
    feed: Audience = OMNI


@final
class RevokeFeed(_Client, frozen=True, tag="revoke"):
    """Take a grant back, at once; all seats are informed. Its granter may."""

    match: MatchId
    name: Name
    feed: Audience = OMNI


@final
class GiveOrders(_Client, frozen=True, tag="orders"):
    """Give the orders of a window; a higher `rev` replaces them, `lock` ends the thinking."""

    match: MatchId
    window: WindowId
    rev: CommandId
    orders: Orders = ()
    lock: bool = False


class Question(Word):
    """What `ask` can be about."""

    LEGAL = "legal"
    PREVIEW = "preview"
    ODDS = "odds"
    WHY = "why"
    LOOK = "look"
    REVIEW = "review"
    SHEET = "sheet"


@final
class Ask(_Client, frozen=True, tag="ask", omit_defaults=True):
    """Ask something that the caller's own view answers; no other seat learns of it.

    `orders` are those of a `review`, which is about nothing else, or those that stand already when
    a `sheet` lists what a piece may do.
    """

    match: MatchId
    kind: Question
    about: Order | Name | None = None
    orders: Orders = ()


class LessonAct(Word):
    """What `lesson` can do.

    List all, open one, give its hint, ask as in a match, check whether orders can be given
    together, or answer.
    """

    LIST = "list"
    OPEN = "open"
    HINT = "hint"
    ASK = "ask"
    CHECK = "check"
    ANSWER = "answer"


@final
class TakeLesson(_Client, frozen=True, tag="lesson", omit_defaults=True):
    """Take a lesson: a puzzle with one idea, on a position of a match, which orders solve.

    All but `list` name the `lesson`. To `ask`, `kind`, `about` and `orders` are those of `ask`; to
    `check` or `answer`, `orders` are all that one gives.
    """

    act: LessonAct
    lesson: Name | None = None
    kind: Question = Question.LEGAL
    about: Order | Name | None = None
    orders: Orders = ()


@final
class Resume(_Client, frozen=True, tag="resume"):
    """Take the seat of a ticket again, or without one the caller's own.

    `have` is the last sequence number processed.
    """

    match: MatchId
    ticket: Secret | None = None
    have: int = 0


@final
class FetchRecord(_Client, frozen=True, tag="record", omit_defaults=True):
    """Fetch the record file from byte `from_byte` on: whole after the end, else own frames.

    A private match takes its `code` as well.
    """

    match: MatchId
    from_byte: CommandId = 0
    code: Name | None = None


@final
class Ready(_Client, frozen=True, tag="ready"):
    """Say in the lobby that the seat is ready to start.

    With a `pledge` it takes the place of the one before: once entropy was revealed for a start
    that was called off, only another one is good.
    """

    match: MatchId
    on: bool = True
    pledge: Pledge | None = None


@final
class Resign(_Client, frozen=True, tag="resign"):
    """Give the match up."""

    match: MatchId


@final
class OfferDraw(_Client, frozen=True, tag="draw"):
    """Offer a draw, sealed until every seat has done so; `on` false takes it back."""

    match: MatchId
    on: bool = True


@final
class AskPause(_Client, frozen=True, tag="pause"):
    """Ask for a pause, which needs every seat that plays on; `on` false ends it."""

    match: MatchId
    on: bool = True


@final
class Rematch(_Client, frozen=True, tag="rematch"):
    """Ask for another match of the same kind with the sides changed; `on` false takes it back."""

    match: MatchId
    on: bool = True


@final
class Chat(_Client, frozen=True, tag="chat"):
    """Say something to all in the match."""

    match: MatchId
    text: Text


@final
class Mute(_Client, frozen=True, tag="mute"):
    """Stop (or start) hearing a side's chat."""

    match: MatchId
    side: Side
    on: bool = True


@final
class Report(_Client, frozen=True, tag="report"):
    """Report the player of a side to the operator alone; the caller needs a seat there."""

    match: MatchId
    side: Side
    text: Text


@final
class Leave(_Client, frozen=True, tag="leave"):
    """Leave a lobby match, or stop watching."""

    match: MatchId


@final
class Ping(_Client, frozen=True, tag="ping"):
    """Ask for the server's time."""


ClientMessage = (
    Hello
    | Forget
    | Renew
    | SetWebhook
    | ListMatches
    | Info
    | Create
    | Join
    | Reveal
    | AddBot
    | AskLadder
    | QuickMatch
    | Unquick
    | Watch
    | GrantFeed
    | RevokeFeed
    | GiveOrders
    | Ask
    | TakeLesson
    | Resume
    | FetchRecord
    | Ready
    | Resign
    | OfferDraw
    | AskPause
    | Rematch
    | Chat
    | Mute
    | Report
    | Leave
    | Ping
)
"""Everything a client may say."""
