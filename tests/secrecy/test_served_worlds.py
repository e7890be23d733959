"""Two servers whose hidden fleets differ say the same to everybody else."""

from pathlib import Path

import pytest

from secrecy.servedworlds import CLOCKS, served_worlds


@pytest.mark.parametrize("clock", CLOCKS)
async def test_whoever_is_not_that_side_gets_the_same_bytes_whatever_fleet_a_side_has(
    tmp_path: Path, clock: str
) -> None:
    await served_worlds(tmp_path, clock)
