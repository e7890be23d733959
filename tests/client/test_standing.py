"""The standing orders that the terminal lists: those of pieces in play alone."""

import pytest

from builders.terminals import KITE, MOTH, ship, view
from sunglare_client.text.lists.agents import standing_rows
from sunglare_protocol.orders.agents import OFF_MAP
from sunglare_protocol.words.ladder import Fate


def test_a_ship_in_play_is_said_to_be_bound_somewhere() -> None:
    bound = (ship(KITE, bound_for="Ceres"), ship(MOTH, bound_for=OFF_MAP))
    rows = standing_rows(view(own=bound))
    assert rows == ["  S1 is bound for Ceres", "  S2 is bound off the map"]


@pytest.mark.parametrize("fate", [Fate.DESTROYED, Fate.ESCAPED])
def test_a_ship_that_is_gone_is_bound_nowhere(fate: Fate) -> None:
    assert standing_rows(view(own=(ship(KITE, bound_for="Ceres", fate=fate),))) == []
