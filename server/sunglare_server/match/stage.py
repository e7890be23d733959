"""Where a match stands, the same for all audiences: what fog and the truth view have in common."""

from functools import lru_cache

from sunglare_protocol.views import Stage
from sunglare_server.match.clock.phases import Standing

_STAGES_KEPT = 1024
"""How many stages are kept made: each is the same for every audience of a match."""


@lru_cache(maxsize=_STAGES_KEPT)
def stage(standing: Standing) -> Stage:
    """Return where the match stands, which is the same for all audiences."""
    return Stage(
        turn=standing.turn,
        turns=standing.turns,
        phase=standing.phase,
        window=standing.window,
        slot=standing.slot_side,
        initiative=standing.initiative,
        sides=standing.sides,
        out=standing.out,
    )
