"""Two servers whose hidden fleets differ say the same to everybody else."""

from pathlib import Path

from servedworlds import served_worlds


async def test_whoever_is_not_that_side_gets_the_same_bytes_whatever_fleet_a_side_has(
    tmp_path: Path,
) -> None:
    await served_worlds(tmp_path)
