"""The info of an environment has an entry of how many events the last window had."""

from typing import Any

from builders.plants import Real, in_place_of
from sunglare_gym import SunglareParallel
from sunglare_gym.table import GymTable


@in_place_of(SunglareParallel, "_infos")
def plant(
    real: Real[dict[str, dict[str, Any]]], self: SunglareParallel, table: GymTable
) -> dict[str, dict[str, Any]]:
    infos = real(self, table)
    return {agent: {**info, "records": len(table._live.records)} for agent, info in infos.items()}
