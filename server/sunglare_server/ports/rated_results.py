"""Rated matches: which may count for ratings, and what the end of one counts as.

What counts is what no player can arrange alone: a match on a rated clock, with the options that
its scenario has anyway, from its beginning, in which each player sits once. It counts once turn 1
is over and it has a result: a player who leaves before, or a match that is adjourned, changes no
rating.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import combinations

from sunglare_protocol.ids import MatchId, Side
from sunglare_protocol.messages.replies import Ending
from sunglare_protocol.refusals import Code, Rejected
from sunglare_server.match.clock.presets import PRESETS
from sunglare_server.match.data.options import MatchOptions, OptionValue, chosen
from sunglare_server.match.data.scenario import Scenario
from sunglare_server.match.state import MatchState
from sunglare_server.ports.rating_model import (
    Placed,
    RatedResult,
    account_of,
    is_bot_player,
    player_of,
)
from sunglare_server.ports.rooms import Room

TURNS_LEAST = 2
"""A match counts from the beginning of this turn on."""

OF_BOTS = ":bots"
"""What follows the name of a family in that of the ladder on which its matches of bots count."""

PAIR_MOST = 5
"""OWN: so many results of the same two people count within `RECENT_MS`."""

_COUNTS_NOT = (Ending.ADJOURNED, Ending.NO_GAME)

_AT = "$.rated"


def unrateable(
    base: dict[str, OptionValue], options: MatchOptions, *, is_played_on: bool
) -> Rejected | None:
    """Return why a match with these options does not count; `base` are those of its scenario."""
    if is_played_on:
        return _refused("It continues another match.")
    if not PRESETS[options.clock].is_rated:
        clocks = tuple(name for name, preset in PRESETS.items() if preset.is_rated)
        detail = f"The clock {options.clock} is not for rated matches."
        return Rejected(code=Code.RATED_TERMS, at=_AT, detail=detail, choices=clocks)
    if options != chosen(base, {"clock": options.clock}):
        return _refused("Apart from the clock, its options differ from those of its scenario.")
    return None


def _refused(detail: str) -> Rejected:
    return Rejected(code=Code.RATED_TERMS, at=_AT, detail=detail)


def sits_twice(room: Room, bot: str) -> bool:
    """Return whether a house bot would sit twice in a rated room, each time as the same player."""
    return room.rated and any(seat.bot == bot for seat in room.seats)


def family_of(scenario: Scenario) -> str:
    """Return in which family matches on a scenario count: its own, unless it names another."""
    named = scenario.data.family
    return named if isinstance(named, str) else scenario.name


def rated_result(
    room: Room, scenario: Scenario, state: MatchState, ended_ms: int
) -> RatedResult | None:
    """Return what the end of a match counts as; None if it does not count."""
    result = state.result
    if not room.rated or result is None or result.ending in _COUNTS_NOT:
        return None
    players = {
        seat.side: player_of(seat.account, seat.bot, is_bot=seat.is_bot) for seat in room.seats
    }
    if state.standing.turn < TURNS_LEAST or _anybody_twice(players.values()):
        return None
    family = family_of(scenario)
    return RatedResult(
        match=MatchId(room.match),
        family=f"{family}{OF_BOTS}" if all(map(is_bot_player, players.values())) else family,
        ended_ms=ended_ms,
        placed=tuple(
            [Placed(player, _place(state, side)) for side, player in sorted(players.items())]
        ),
    )


def exceeds_pair_limit(result: RatedResult, recent: Iterable[RatedResult]) -> bool:
    """Return whether two of its people have `PAIR_MOST` results together among recent ones.

    House bots are no people, and neither is anyone where bots alone have played.
    """
    if all(is_bot_player(one.player) for one in result.placed):
        return False
    pairs = _pairs(result)
    count = Counter(pair for one in recent if one.match != result.match for pair in _pairs(one))
    return any(count[pair] >= PAIR_MOST for pair in pairs)


def _pairs(result: RatedResult) -> list[tuple[str, str]]:
    accounts = [account_of(one.player) for one in result.placed]
    return list(combinations(sorted(one for one in accounts if one is not None), 2))


def _anybody_twice(players: Iterable[str]) -> bool:
    return max(Counter(players).values(), default=0) > 1


def _place(state: MatchState, side: Side) -> int:
    """Return how many sides stand before one: the winner, then by points; who gave up, last."""
    return sum(_worth(state, other) > _worth(state, side) for other in state.standing.sides)


def _worth(state: MatchState, side: Side) -> tuple[bool, bool, int]:
    result = state.result
    if result is None or result.ending is Ending.DRAW:
        return (False, side not in state.table.resigned, 0)
    stayed = side not in state.table.resigned
    return (side == result.winner, stayed, result.points.get(side, 0))
