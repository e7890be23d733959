"""Several matches in one process, side by side, as one vector environment of Gymnasium."""

from typing import Any

from gymnasium.vector import AutoresetMode, SyncVectorEnv

from sunglare_gym.seat import SunglareSeat


def seats_side_by_side(
    count: int,
    scenario: str = "shadow-of-ceres",
    *,
    autoreset: AutoresetMode = AutoresetMode.NEXT_STEP,
    **options: Any,
) -> SyncVectorEnv:
    """Return so many seats, each at a match of its own, stepped together in this process.

    `options` are those of `SunglareSeat`. A match that is over begins again at the next step,
    whose answers for it count for nothing (`NEXT_STEP`, as Gymnasium does by itself), or in the
    step that ended it, with the last observation in `infos["final_obs"]` (`SAME_STEP`).
    """
    return SyncVectorEnv(
        [lambda: SunglareSeat(scenario, **options)] * count, autoreset_mode=autoreset
    )
