"""All that is stored of one account, as its owner receives it.

Times are in ms since 1970. Tokens and tickets are stored as hashes alone, which are of no use, and
are not given out.
"""

from typing import final

import msgspec

from sunglare_protocol.ids import MatchId, Side


@final
class PersonMatch(msgspec.Struct, frozen=True, kw_only=True):
    """A match in which the account sits or sat, or which it opened; what it said there, and when.

    `said` is None where its records can't be read.
    """

    match: MatchId
    scenario: str
    title: str
    state: str
    is_host: bool
    side: Side | None
    is_bot: bool
    feeds: tuple[str, ...]
    started_ms: int | None
    ended_ms: int | None
    tickets: int
    said: tuple[tuple[int, str], ...] | None


@final
class PersonReport(msgspec.Struct, frozen=True, kw_only=True):
    """A report that the account has made: of the player of a side of a match."""

    match: MatchId
    at_ms: int
    side: Side
    text: str


@final
class PersonAccusation(msgspec.Struct, frozen=True, kw_only=True):
    """A report of the account: its text, and not its author."""

    match: MatchId
    at_ms: int
    text: str


@final
class PersonRating(msgspec.Struct, frozen=True, kw_only=True):
    """What is thought of the account in a family of rated matches, or of its own bot."""

    family: str
    is_bot: bool
    low: int
    high: int
    matches: int


@final
class PersonResult(msgspec.Struct, frozen=True, kw_only=True):
    """The place of the account, or of its own bot, in a rated match; 0 is the best."""

    match: MatchId
    family: str
    ended_ms: int
    is_bot: bool
    place: int


@final
class PersonSanction(msgspec.Struct, frozen=True, kw_only=True):
    """A ban or a mute of the account."""

    kind: str
    since_ms: int
    until_ms: int | None
    reason: str


@final
class PersonalFile(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that is stored of an account."""

    account: str
    name: str
    webhook: str | None
    lessons: tuple[str, ...]
    """Those that it has solved."""
    matches: tuple[PersonMatch, ...]
    reports_made: tuple[PersonReport, ...]
    reports_of: tuple[PersonAccusation, ...]
    ratings: tuple[PersonRating, ...]
    results: tuple[PersonResult, ...]
    sanctions: tuple[PersonSanction, ...]
    operators_log: tuple[str, ...]
    """What operators have asked that names the account by its name of now or its id."""
