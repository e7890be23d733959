"""The file of weapons: every kind is shipped, and a class where there is none is a fault."""

import pytest

from sunglare_protocol.words.armament import WeaponKind
from sunglare_server.base.library import SHIPPED
from sunglare_server.match.data.files import DataError, read_weapons


@pytest.mark.parametrize("kind", list(WeaponKind), ids=lambda kind: kind.value)
def test_the_shipped_weapons_have_every_kind(kind: WeaponKind) -> None:
    weapons = read_weapons((SHIPPED / "weapons.toml").read_text(), "weapons.toml")
    assert kind in {weapon.kind for weapon in weapons.values()}


def test_a_class_where_there_is_none_is_a_fault() -> None:
    with pytest.raises(DataError) as caught:
        read_weapons('[big]\nkind = "leech"\nrank = 2', "mine.toml")
    assert (caught.value.file, caught.value.key) == ("mine.toml", "big.rank")
    assert "k_gun" in caught.value.why
