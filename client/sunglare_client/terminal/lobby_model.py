"""The model of the lobby: a server's matches by number, and what a player may do with each.

It asks and draws nothing; its caller gives it the lists.
"""

from typing import Final, final

from sunglare_client.link.connection import Connection
from sunglare_client.link.lists import shown
from sunglare_client.link.seating import SCENARIO
from sunglare_client.text.printable import printable
from sunglare_protocol.messages import (
    Listing,
    ListMatches,
    Matches,
    MatchLine,
    RoomState,
    SeatInfo,
    SeatState,
)

Words = tuple[str, ...]
"""The words of a command line of `sunglare`."""

_LISTS: Final = {
    Listing.MINE: "yours:",
    Listing.OPEN: "open:",
    Listing.RUNNING: "running:",
}

_VERBS: Final = ("new", "bot", "watch", "look", "help", "quit")
_NO_SCENARIO: Final = "E-MISSING new: which scenario?  e.g. new redondo"

_HELP: Final = (
    "A number joins, comes back or watches; new, watch, bot, look, help, quit.",
    "  3                  take a seat of match 3, or come back to it; watch it if it runs",
    "  new redondo        open a match and wait for others",
    "  bot redondo        play against bots, on a private server",
    "  watch 3            follow match 3 without a seat; watch alone the liveliest",
    "  look               ask for the lists again",
    "  quit               leave",
)


@final
class LeaveLobby(Exception):
    """The player has seen enough."""


async def shown_lists(connection: Connection) -> dict[Listing, tuple[MatchLine, ...]]:
    """Return the first page of each list."""
    found = await connection.expect(Matches, ListMatches)
    return {which: shown(found, which) for which in _LISTS}


@final
class LobbyModel:
    """The lists as they came last, with a number for each match."""

    def __init__(self, url: str, name: str) -> None:
        """Know no match yet."""
        self.url = url
        self.name = name
        self._lists: dict[Listing, tuple[MatchLine, ...]] = {}

    def take(self, lists: dict[Listing, tuple[MatchLine, ...]]) -> None:
        """Take newer lists; a match that stands in two of them is shown in the first."""
        seen: set[str] = set()
        self._lists = {}
        for which in _LISTS:
            fresh = [line for line in lists[which] if line.match not in seen]
            alive = tuple(line for line in fresh if line.state is not RoomState.OVER)
            seen.update(line.match for line in alive)
            self._lists[which] = alive

    @property
    def matches(self) -> tuple[MatchLine, ...]:
        """Return all matches in the order of their numbers."""
        return tuple(line for which in _LISTS for line in self._lists.get(which, ()))

    def rows(self) -> list[str]:
        """Return the lists, each of which says so if it is empty."""
        rows, number = [], 0
        for which, title in _LISTS.items():
            rows.append(title)
            lines = self._lists.get(which, ())
            for line in lines:
                number += 1
                rows.append(match_row(number, line))
            rows += [] if lines else ["     none"]
        return rows

    def help_lines(self) -> list[str]:
        """Return what may be said here."""
        return [*_HELP]

    def complete(self, line: str) -> list[str]:
        """Return the words that begin so."""
        return [word for word in _VERBS if " " not in line and word.startswith(line)]

    def obey(self, line: str) -> Words | list[str]:
        """Return what a line chooses, or what to show; raise `LeaveLobby`."""
        verb, _, rest = line.strip().partition(" ")
        if verb.isascii() and verb.isdecimal():
            return self._taken(verb)
        known = [word for word in _VERBS if verb and word.startswith(verb.lower())]
        if len(known) != 1 and verb:
            return [printable(f"E-VERB    there is no {verb!r} here. {_HELP[0]}")]
        return self._done(known[0] if known else "look", rest.strip())

    def _done(self, verb: str, rest: str) -> Words | list[str]:
        match verb:
            case "quit":
                raise LeaveLobby
            case "new":
                return ("play", "--new", rest) if rest else [_NO_SCENARIO]
            case "bot":
                return ("play", "--local", "--new", rest or SCENARIO)
            case "watch":
                return self._watched(rest)
            case "help":
                return self.help_lines()
            case _:
                return []

    def _taken(self, number: str) -> Words | list[str]:
        line = self._numbered(number)
        if line is None:
            return [self._no_match(number)]
        has_seat = line.mine is not None
        is_free = any(seat.state is SeatState.FREE for seat in line.seats)
        if has_seat or (line.state is RoomState.LOBBY and is_free):
            return ("play", "--match", line.match)
        return ("watch", line.match)

    def _watched(self, number: str) -> Words | list[str]:
        if not number:
            return ("watch",)
        line = self._numbered(number)
        return [self._no_match(number)] if line is None else ("watch", line.match)

    def _numbered(self, word: str) -> MatchLine | None:
        if not (word.isascii() and word.isdecimal() and len(word) < _DIGITS_MOST):
            return None
        return dict(enumerate(self.matches, 1)).get(int(word))

    def _no_match(self, word: str) -> str:
        count = len(self.matches)
        known = f"1 to {count}" if count else "none: new opens one, bot plays against a bot"
        return printable(f"E-ARG     there is no match {word!r}; there are {known}")


_DIGITS_MOST = 5


def match_row(number: int, line: MatchLine) -> str:
    """Return a match as one row: number, id, scenario, clock, who sits there, how it stands."""
    seats = " v ".join(_holder(seat) for seat in line.seats)
    phase = "" if line.phase is None else f" {line.phase.value.upper()}"
    state = f"T{line.turn}{phase}" if line.turn else "WAITING"
    title = f" {line.title!r}" if line.title else ""
    mine = "  YOUR TURN" if line.your_turn else ""
    what = f"{number:>4} {line.match[:6]} {line.scenario}{title}"
    return printable(f"{what}  {line.clock}  {seats}  {state}{mine}")


def _holder(seat: SeatInfo) -> str:
    if seat.state is SeatState.FREE:
        return "_"
    return f"bot:{seat.name}" if seat.is_of_bot else seat.name or "?"
