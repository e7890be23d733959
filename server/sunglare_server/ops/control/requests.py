"""What the operator may ask over the control socket: one JSON object a line, one answer each.

`do` names the request. Nothing here holds what a side hides: ids, names, states and counts.
"""

from typing import Final, Literal, final

import msgspec

from sunglare_protocol.ids import MatchId, Side
from sunglare_server.ops.control.request import AnyRequest, RequestError
from sunglare_server.ops.moderation.moderation_requests import (
    AuditRow,
    BansAsked,
    DeedsAsked,
    Orderly,
    OwnerRow,
    SanctionRow,
)
from sunglare_server.ops.privacy.account_data import PersonalFile

REQUEST_BYTES = 16 * 1024
"""The longest request line."""

CasterFeed = Literal["caster"]
"""The feed that the operator alone grants, and the only one that he does."""

DAYS_MOST = 36_500
"""The most days that `prune` takes: a century."""


@final
class ForeignError(RequestError):
    """A request about a match that another worker owns: that one has to be asked."""

    def __init__(self, match: MatchId) -> None:
        """Keep which match it is."""
        super().__init__(f"{match} is another worker's: `--nats` asks whoever owns it")
        self.match = match


@final
class StatusAsked(AnyRequest, frozen=True, tag="status"):
    """How the server is doing."""


@final
class MatchesAsked(AnyRequest, frozen=True, tag="matches"):
    """Which matches there are; with `over` those that have ended, too.

    With `quarantined` those alone that go on and can't.
    """

    over: bool = False
    quarantined: bool = False


@final
class Say(AnyRequest, frozen=True, tag="say"):
    """Tell everybody in a seat something, or those of one match."""

    text: str
    match: str | None = None


@final
class Kick(AnyRequest, frozen=True, tag="kick"):
    """Remove an account by name, or whoever holds a side of a match."""

    name: str | None = None
    match: str | None = None
    side: Side | None = None


@final
class GrantCaster(AnyRequest, frozen=True, tag="grant"):
    """Let an account see the truth of a match without delay; all its seats are told."""

    match: str
    name: str
    feed: CasterFeed = "caster"


@final
class RevokeCaster(AnyRequest, frozen=True, tag="revoke"):
    """Take that back."""

    match: str
    name: str
    feed: CasterFeed = "caster"


@final
class Pause(AnyRequest, frozen=True, tag="pause"):
    """Pause a match, or let it go on."""

    match: str
    on: bool = True


@final
class Adjourn(AnyRequest, frozen=True, tag="adjourn"):
    """End a match without a winner."""

    match: str


@final
class Drain(AnyRequest, frozen=True, tag="drain"):
    """Open and start no match any more, and end after the last one; with `now`, end at once.

    With `in_ms` it ends then, whatever runs, and every connection is told so with the `note`; with
    `off` what was ordered before is called off. `whole`: all workers of a cluster are ordered so.
    """

    now: bool = False
    in_ms: int | None = None
    note: str = ""
    off: bool = False
    whole: bool = False


@final
class Reload(AnyRequest, frozen=True, tag="reload"):
    """Read the settings and the data files again, as SIGHUP does."""


@final
class RenewSeals(AnyRequest, frozen=True, tag="seals"):
    """Seal the lines of gateways with another key; asked again for the same `wish`, it is done."""

    wish: str


@final
class Backup(AnyRequest, frozen=True, tag="backup"):
    """Copy the database to a new file, named from the root of the file system."""

    path: str


@final
class Prune(AnyRequest, frozen=True, tag="prune"):
    """Delete the matches that ended more than so many days ago; with `dry`, only count them.

    Where `archived` names a folder, only those whose record files are there as they would be made.
    """

    days: int
    dry: bool = False
    archived: str | None = None


@final
class ArchiveRecords(AnyRequest, frozen=True, tag="archive"):
    """Have record files of finished matches in a folder, named from the root, some at a time."""

    path: str


@final
class DumpMatch(AnyRequest, frozen=True, tag="dump"):
    """Put all that is kept of a match into a new file, named from the root."""

    match: str
    path: str


@final
class ImportMatch(AnyRequest, frozen=True, tag="import"):
    """Take up the match of a file, named from the root, that is not here."""

    path: str


@final
class ReportsAsked(AnyRequest, frozen=True, tag="reports"):
    """What players have reported, with `all` what is done with, too.

    With `done` those of a match are marked as done with, with `drop` deleted.
    """

    all: bool = False
    done: str | None = None
    drop: str | None = None


@final
class FoldRatings(AnyRequest, frozen=True, tag="ratings"):
    """Fold the results of all rated matches anew, in place of the ratings."""


Request = (
    StatusAsked
    | MatchesAsked
    | Say
    | Kick
    | GrantCaster
    | RevokeCaster
    | Pause
    | Adjourn
    | Drain
    | Reload
    | RenewSeals
    | Backup
    | Prune
    | ArchiveRecords
    | DumpMatch
    | ImportMatch
    | FoldRatings
    | ReportsAsked
    | Orderly
)
"""Everything that may be asked."""

LOOKS: Final = (StatusAsked, MatchesAsked, BansAsked, DeedsAsked)
"""What changes nothing, whatever is asked of it."""


def is_look(request: Request) -> bool:
    """Return whether a request changes nothing, and may come every second."""
    if isinstance(request, ReportsAsked):
        return request.done is None and request.drop is None
    return isinstance(request, LOOKS)


@final
class SeatLine(msgspec.Struct, frozen=True, kw_only=True):
    """A taken seat: the account's name or the house bot's, which lobby lists show as well."""

    side: Side
    name: str
    bot: bool = False


@final
class MatchRow(msgspec.Struct, frozen=True, kw_only=True):
    """A match: `state` is waiting, running, paused, held, fault or over; `age_s` its age.

    `why` says what is wrong with one that is in quarantine.
    """

    match: str
    scenario: str
    state: str
    clock: str
    private: bool
    seats: tuple[SeatLine, ...]
    age_s: int | None = None
    listeners: int = 0
    slips: int = 0
    why: str | None = None


@final
class WordRow(msgspec.Struct, frozen=True, kw_only=True):
    """What a side said in a match, and when, in ms since 1970."""

    at_ms: int
    side: Side
    text: str


@final
class ReportRow(msgspec.Struct, frozen=True, kw_only=True):
    """A report: by whom, of whom in which seat, how long ago, in whose words it is.

    `window` is what the one who reported had been shown last, None before the match; `said` is
    what was said in the match around it.
    """

    match: str
    age_s: int
    by: str
    side: Side
    of: str
    text: str
    at_ms: int = 0
    by_side: Side | None = None
    window: str | None = None
    done: bool = False
    said: tuple[WordRow, ...] = ()


@final
class CopyLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The copy of the database: since when it is behind, None if not whole yet; its `error`."""

    path: str
    behind_s: int | None = None
    error: str | None = None


@final
class EnginesLine(msgspec.Struct, frozen=True, kw_only=True):
    """The servers of an engine that keep the records, by name, and which of them are away.

    Those that can't be asked now are as they were last; then `answer` is false.
    """

    names: tuple[str, ...]
    away: tuple[str, ...]
    answer: bool


@final
class Status(msgspec.Struct, frozen=True, kw_only=True):
    """How the server is doing: times in seconds, sizes in whole MiB but told in bytes.

    `ends_s` is when it ends, where that is ordered. `unstored_s` is for how long something was
    not stored; None while all is. A worker has `engines`.
    `latest_ms` is how late a release came after its beat at most. `journal` is the file, if it
    `has_file`, or the kind of what keeps everything instead. `set_aside` is what of it is damaged.
    """

    version: str
    url: str
    pid: int
    state: str
    uptime_s: int
    connections: int
    matches: dict[str, int]
    records: int
    commits: int
    refused_appends: int
    queue: int
    releases: int
    slips: int
    latest_ms: int
    muted: int
    banned: int = 0
    memory_bytes: int
    journal: str
    journal_bytes: int
    has_file: bool = True
    copy: CopyLine | None = None
    ends_s: int | None = None
    set_aside: tuple[str, ...] = ()
    unstored_s: int | None = None
    engines: EnginesLine | None = None


@final
class GatewayStanding(msgspec.Struct, frozen=True, kw_only=True):
    """How a gateway is doing: whether it `is_linked`, the workers it hears of, matches it lacks.

    `unable` are those of the workers that can store nothing now.
    `stalled` counts the matches of its connections for which nobody answers now, `ends_s` is when
    it ends, where that is ordered.
    """

    version: str
    name: str
    url: str
    pid: int
    state: str
    uptime_s: int
    connections: int
    is_linked: bool
    workers: tuple[str, ...]
    unable: tuple[str, ...] = ()
    stalled: int
    memory_bytes: int
    ends_s: int | None = None


@final
class WorkerLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A worker that gave signs of life: its standing, or why there is none."""

    name: str
    standing: Status | None = None
    error: str | None = None


@final
class GatewayLine(msgspec.Struct, frozen=True, kw_only=True):
    """A gateway that gave signs of life, the last one so long ago; for players or spectators."""

    name: str
    trust: str
    connections: int
    heard_ms: int


@final
class Cluster(msgspec.Struct, frozen=True, kw_only=True):
    """Who is there: the workers and the gateways that gave signs of life, by name."""

    workers: tuple[WorkerLine, ...]
    gateways: tuple[GatewayLine, ...]


@final
class Answer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The answer to a request: an `error`, or what was `done` in words and what was asked for.

    With an error `is_foreign` says that nothing was done as the match is another worker's. Of
    many workers that were asked `missing` are those that did not answer; of matches, those with
    which it could not be done, each with the reason. So many are `left` for another request.
    A list may lack what is `set_aside` as damaged.
    """

    error: str | None = None
    is_foreign: bool = False
    missing: tuple[str, ...] = ()
    left: int = 0
    done: str | None = None
    standing: Status | None = None
    matches: tuple[MatchRow, ...] | None = None
    reports: tuple[ReportRow, ...] | None = None
    bans: tuple[SanctionRow, ...] | None = None
    deeds: tuple[AuditRow, ...] | None = None
    set_aside: tuple[str, ...] = ()
    person: PersonalFile | None = None
    owner: OwnerRow | None = None
    gateway: GatewayStanding | None = None
    cluster: Cluster | None = None


_EXAMPLE = '{"do":"status"}'
_requests: msgspec.json.Decoder[Request] = msgspec.json.Decoder(Request)
_answers: msgspec.json.Decoder[Answer] = msgspec.json.Decoder(Answer)
encode = msgspec.json.encode


def read_request(line: bytes) -> Request:
    """Return the request of a line; raise `RequestError` if it is none."""
    try:
        return _requests.decode(line)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as fault:
        why = f"no request of the control socket, such as {_EXAMPLE}: {fault}"
        raise RequestError(why) from None


def read_answer(line: bytes) -> Answer:
    """Return the answer of a line; raise `RequestError` if it is none."""
    try:
        return _answers.decode(line)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as fault:
        raise RequestError(f"no answer of a server: {fault}") from None
