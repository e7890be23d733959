"""What a seat had thought before the server was away is charged at once, and once more after."""

from msgspec.structs import replace

from builders.plants import Real, in_place_of
from sunglare_server.match import step
from sunglare_server.match.clock.seats import charged
from sunglare_server.match.state import MatchState, Stepped


@in_place_of(step, "restarted")
def plant(real: Real[Stepped], state: MatchState, at_ms: int, outage_ms: int) -> Stepped:
    stepped = real(state, at_ms, outage_ms)
    clocks = {
        side: charged(clock, clock.thought_ms or state.elapsed_ms(at_ms), state.free_ms(side))
        for side, clock in state.clocks.items()
    }
    return replace(stepped, state=replace(stepped.state, clocks=clocks))
