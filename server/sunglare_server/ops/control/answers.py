"""Answers to an operator: what was done, or the rows that were asked for."""

from typing import final

import msgspec

from sunglare_protocol.ids import Side
from sunglare_server.ops.control.requests import RequestError
from sunglare_server.ops.privacy.account_data import PersonalFile


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
class SanctionRow(msgspec.Struct, frozen=True, kw_only=True):
    """A ban or mute: whom it concerns as the operator names it, times in ms since 1970.

    `account` is the id of an account, None of an address or network; `until_ms` None: no end.
    """

    kind: str
    whom: str
    account: str | None
    since_ms: int
    until_ms: int | None
    reason: str


@final
class OwnerRow(msgspec.Struct, frozen=True, kw_only=True):
    """Whose a mark of the access log is: the account's id and its name."""

    mark: str
    account: str
    name: str


@final
class AuditRow(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of the operators' log: when, in ms since 1970, who asked what, and the outcome."""

    at_ms: int
    by: str
    asked: str
    outcome: str


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
    """How the server is doing: times in seconds, sizes in bytes, rounded to whole MiB.

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
    """How a gateway is doing: whether it `is_linked`, the workers it knows of, matches it lacks.

    `unable` are those of the workers that can store nothing now. `stalled` counts the matches of
    its connections that are without an answer now, `ends_s` is when it ends, where that is
    ordered.
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
    """The workers and the gateways that gave signs of life, by name."""

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


_answers: msgspec.json.Decoder[Answer] = msgspec.json.Decoder(Answer)


def read_answer(line: bytes) -> Answer:
    """Return the answer of a line; raise `RequestError` if it is none."""
    try:
        return _answers.decode(line)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as fault:
        raise RequestError(f"no answer of a server: {fault}") from None
