"""An order costs the same whether hidden facts let it work or not."""

from ordercosts import order_costs


def test_every_weapon_ordered_to_fire_heats_its_piece_and_one_with_one_shot_is_spent() -> None:
    found = order_costs()
    assert found.shots > 300
    assert found.spent > 10
