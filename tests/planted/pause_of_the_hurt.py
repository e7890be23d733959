"""The count-down after a pause is longer by 1 ms for each ship that is damaged."""

from msgspec.structs import replace

from builders.plants import Real, in_place_of
from sunglare_server.match.pace import pausing
from sunglare_server.match.state import MatchState, Stepped


@in_place_of(pausing, "run_on")
def plant(real: Real[Stepped], state: MatchState, at_ms: int, word: str) -> Stepped:
    hurt = sum(ship.damage > 0 for ship in state.truth.ships.values())
    made = real(state, at_ms, word)
    return replace(made, state=replace(made.state, stopped_ms=made.state.stopped_ms + hurt))
