"""Every fault that is planted in the road is found by the test that is named for it."""

from pathlib import Path

import pytest

from transport.plantedfaults import PLANTS


@pytest.mark.parametrize("name", PLANTS)
async def test_a_fault_that_is_planted_in_the_road_is_found(name: str, tmp_path: Path) -> None:
    plant, check = PLANTS[name]
    with pytest.MonkeyPatch.context() as patch:
        plant(patch)
        with pytest.raises(AssertionError):
            await check(tmp_path)


@pytest.mark.parametrize("name", PLANTS)
async def test_where_nothing_is_planted_nothing_is_found(name: str, tmp_path: Path) -> None:
    _, check = PLANTS[name]
    await check(tmp_path)
