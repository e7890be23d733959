"""What a seat had thought before the server was away is charged at once, and once more after."""

import pytest
from msgspec.structs import replace

from sunglare_server.match import step
from sunglare_server.match.clock.seats import charged
from sunglare_server.match.state import MatchState, Stepped

_restarted = step.restarted  # type: ignore[attr-defined] # a bug sits inside the product


def _charging(state: MatchState, at_ms: int, outage_ms: int) -> Stepped:
    stepped = _restarted(state, at_ms, outage_ms)
    clocks = {
        side: charged(clock, clock.thought_ms or state.elapsed_ms(at_ms), state.free_ms(side))
        for side, clock in state.clocks.items()
    }
    return replace(stepped, state=replace(stepped.state, clocks=clocks))


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(step, "restarted", _charging)
