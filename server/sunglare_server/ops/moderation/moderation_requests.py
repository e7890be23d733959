"""What may be asked over the control socket to keep order, and the rows that answer it."""

from typing import Literal, final

import msgspec

from sunglare_server.ops.control.request import AnyRequest

Aside = Literal["bans", "reports", "ratings", "log"]
"""What may be set aside as damaged."""


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
    """Let nobody take a name, nor one that looks like it, or take that back."""

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
    """Who is banned or muted."""


@final
class DeedsAsked(AnyRequest, frozen=True, tag="log"):
    """What operators have done last: the newest `most` entries of their log."""

    most: int = 50


@final
class Restore(AnyRequest, frozen=True, tag="restore"):
    """Bring back what was set aside as damaged; with `clear`, give it up."""

    what: Aside
    clear: bool = False


Orderly = (
    Ban
    | Mute
    | Rename
    | BarName
    | DropMatch
    | ExportMatch
    | PersonAsked
    | ForgetPerson
    | Whois
    | BansAsked
    | DeedsAsked
    | Restore
)
"""Everything that may be asked to keep order."""


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
