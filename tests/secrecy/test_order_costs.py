"""An order costs the same whether hidden facts let it work or not."""

import pytest

from secrecy.ordercosts import SEEDS, order_costs


@pytest.mark.parametrize("seeds", [1, SEEDS])
def test_every_weapon_ordered_to_fire_heats_its_piece_and_one_with_one_shot_is_spent(
    seeds: int,
) -> None:
    found = order_costs(seeds)
    assert found.shots > 70 * seeds
    assert found.spent > 2 * seeds
