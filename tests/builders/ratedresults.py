"""Rated results, and the ratings of every kind that they are put into."""

from sunglare_protocol.ids import MatchId
from sunglare_server.ports.rating_model import Placed, RatedResult

ANN, BEN, CAT, DOG = (letter * 32 for letter in "abcd")
"""Four players, by their accounts."""

CERES = "shadow-of-ceres"


def match_of(number: int) -> MatchId:
    """Return the id of a match."""
    return MatchId(f"match{number:021d}".replace("0", "a"))


def result(number: int, *players: str, family: str = CERES, is_draw: bool = False) -> RatedResult:
    """Return the result of a match in which each of `players` is placed behind the one before."""
    placed = tuple(Placed(player, 0 if is_draw else n) for n, player in enumerate(players))
    return RatedResult(match=match_of(number), family=family, ended_ms=number, placed=placed)
