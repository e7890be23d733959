"""Requests of an operator: one JSON object a line over the control socket, one answer each.

`do` names the request. Nothing here holds what a side hides: ids, names, states and counts.
"""

import enum
from typing import Final, Literal, assert_never, final

import msgspec

from sunglare_protocol.errors import SunglareError
from sunglare_protocol.ids import MatchId, Side

REQUEST_BYTES = 16 * 1024
"""The longest request line."""

CasterFeed = Literal["caster"]
"""The feed that the operator alone grants, and the only one."""

Aside = Literal["bans", "reports", "ratings", "log"]
"""What may be set aside as damaged."""

DAYS_MOST = 36_500
"""The most days that `prune` takes: a century."""


class RequestError(SunglareError):
    """A request that can't be met: `why` says what is wrong and what would be right."""

    def __init__(self, why: str) -> None:
        """Keep the reason."""
        super().__init__(why)
        self.why = why

    def __str__(self) -> str:
        """Return the reason."""
        return self.why


@final
class ForeignError(RequestError):
    """A request about a match that another worker owns: that one has to be asked."""

    def __init__(self, match: MatchId) -> None:
        """Keep which match it is."""
        super().__init__(f"{match} is another worker's: `--nats` asks its owner")
        self.match = match


class AnyRequest(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    tag_field="do",
    forbid_unknown_fields=True,
    omit_defaults=True,
):
    """A request; `do` names which, and what is unknown in it is refused."""

    by: str = ""
    """Who asks: over the control socket the system says it, over an engine the command."""


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
    """Send a text to all seats, or those of one match."""

    text: str
    match: str | None = None


@final
class Kick(AnyRequest, frozen=True, tag="kick"):
    """Remove an account by name, or the holder of a side of a match."""

    name: str | None = None
    match: str | None = None
    side: Side | None = None


@final
class GrantCaster(AnyRequest, frozen=True, tag="grant"):
    """Let an account see the truth of a match without delay; all its seats are informed."""

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

    With `in_ms` it ends then, whatever runs, and every connection receives the `note`; with `off`
    what was ordered before is called off. `whole`: all workers of a cluster are ordered so.
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
    """Fold the results of all rated matches again, in place of the ratings."""


class _Sanctioned(AnyRequest, frozen=True):
    name: str | None = None
    address: str | None = None
    on: bool = True
    reason: str = ""
    lasts_s: int | None = None


@final
class Mute(_Sanctioned, frozen=True, tag="mute"):
    """Refuse the chat of an account, by its name or id, or of an address or network.

    It lasts `lasts_s` seconds, without them until this is taken back.
    """


@final
class Ban(_Sanctioned, frozen=True, tag="ban"):
    """Let an account, an address or a network in no more; in all else as `Mute`."""


@final
class Rename(AnyRequest, frozen=True, tag="rename"):
    """Give an account another name, a guest's without `new`; unless `free`, bar the old one."""

    name: str
    new: str | None = None
    reason: str = ""
    free: bool = False


@final
class BarName(AnyRequest, frozen=True, tag="bar"):
    """Bar a name, and those that look like it, or take that back."""

    name: str
    on: bool = True
    reason: str = ""


@final
class PersonAsked(AnyRequest, frozen=True, tag="person"):
    """Everything that is stored of an account, for whose it is."""

    name: str


@final
class ForgetPerson(AnyRequest, frozen=True, tag="forget"):
    """Erase what an account's own `forget` erases, in its owner's place."""

    name: str


@final
class DropMatch(AnyRequest, frozen=True, tag="drop"):
    """Delete a match in quarantine, or one that is over, by its whole id."""

    match: str


@final
class ExportMatch(AnyRequest, frozen=True, tag="export"):
    """Write the records of a match, as they lie, to a new file, both named whole."""

    match: str
    path: str


@final
class Whois(AnyRequest, frozen=True, tag="whois"):
    """The account by whose `mark` a line of the access log has named it."""

    mark: str


@final
class BansAsked(AnyRequest, frozen=True, tag="bans"):
    """List the bans and mutes."""


@final
class DeedsAsked(AnyRequest, frozen=True, tag="log"):
    """What operators have done last: the newest `most` entries of their log."""

    most: int = 50


@final
class Restore(AnyRequest, frozen=True, tag="restore"):
    """Bring back what was set aside as damaged; with `clear`, give it up."""

    what: Aside
    clear: bool = False


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
    | ReportsAsked
    | FoldRatings
    | Mute
    | Ban
    | Rename
    | BarName
    | PersonAsked
    | ForgetPerson
    | DropMatch
    | ExportMatch
    | Whois
    | BansAsked
    | DeedsAsked
    | Restore
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
class Scope(enum.Enum):
    """The workers of a cluster that a request concerns: each, any one, or a match's owner."""

    EACH = "each"
    ANY = "any"
    OWNER = "owner"


def scope_of(request: Request) -> Scope:
    """Return the workers of a cluster that a request concerns."""
    match request:
        case Say() | Kick():
            return Scope.EACH if request.match is None else Scope.OWNER
        case ReportsAsked():
            return Scope.ANY if is_look(request) else Scope.OWNER
        case Ban():
            # An account that is banned may be connected to any of them.
            return Scope.EACH if request.on else Scope.ANY
        case StatusAsked() | MatchesAsked() | Drain() | FoldRatings() | Reload() | RenewSeals():
            return Scope.EACH
        case Pause() | Adjourn() | GrantCaster() | RevokeCaster() | DropMatch() | ExportMatch():
            return Scope.OWNER
        case (
            Backup() | Prune() | ArchiveRecords() | DumpMatch() | ImportMatch() | Restore()
            | Mute() | Rename() | BarName() | PersonAsked() | ForgetPerson() | Whois()
            | BansAsked() | DeedsAsked()
        ):  # fmt: skip
            return Scope.ANY
        case _:
            assert_never(request)


_EXAMPLE = '{"do":"status"}'
_requests: msgspec.json.Decoder[Request] = msgspec.json.Decoder(Request)
encode = msgspec.json.encode


def read_request(line: bytes) -> Request:
    """Return the request of a line; raise `RequestError` if it is none."""
    try:
        return _requests.decode(line)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as fault:
        why = f"no request of the control socket, such as {_EXAMPLE}: {fault}"
        raise RequestError(why) from None
