"""An order costs the same whether hidden facts let it work or not."""

import pytest

from secrecy.ordercosts import ALL, FEW, order_costs


@pytest.mark.parametrize("matches", [FEW, ALL], ids=["few", "all"])
def test_every_weapon_ordered_to_fire_heats_its_piece_and_one_with_one_shot_is_spent(
    matches: tuple[tuple[str, int], ...],
) -> None:
    found = order_costs(matches)
    assert found.shots > 12 * len(matches)
    assert found.spent > len(matches) / 3
