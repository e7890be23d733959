"""Which own pieces stand in the way of sight on a surface map, as their owner reckons."""

import pytest
from msgspec.structs import replace

from builders.groundadvice import FAR, SITE, ground_view
from builders.terminals import GUARD, KITE
from sunglare_protocol.geometry import Compass, Landing
from sunglare_protocol.ids import OwnId
from sunglare_protocol.surface import Cell
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.views.ground import GroundView
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.pieces import BaseSize
from sunglare_protocol.words.specials import Special
from sunglare_rules.advice.check.ground_bodies import own_bodies
from sunglare_rules.ground.line_of_sight import Body

BIG = replace(GUARD, cell=Cell(5, 2), height=4, specials=(Special.PRB, Special.VLG))
DOWN = replace(
    KITE,
    size=BaseSize.LARGE,
    landed=Landing(body="Ceres", sector=Compass.N, environs=1, cell=Cell(7, 3)),
)
UNIT_BODY = Body(Cell(5, 2), 2, 4)
SHIP_BODY = Body(Cell(7, 3), 2, 10)


def seen(units: tuple[GroundView, ...] = (), ships: tuple[OwnView, ...] = ()) -> View:
    """Return a view of a planet with two maps, with these own pieces."""
    return ground_view(Phase.ENGAGE, own=ships, ground=units)


def test_large_units_and_landed_ships_stand_in_the_way_units_first() -> None:
    second = replace(BIG, id=OwnId("G2"), cell=Cell(1, 1), height=2, specials=(Special.LG,))
    found = own_bodies(seen((BIG, GUARD, second), (DOWN,)), SITE)
    assert found == (UNIT_BODY, Body(Cell(1, 1), 1, 2), SHIP_BODY)


@pytest.mark.parametrize(
    ("special", "radius"), [(Special.LG, 1), (Special.VLG, 2), (Special.SLG, 3)]
)
def test_a_unit_reaches_half_its_footprint_from_its_cell(special: Special, radius: int) -> None:
    unit = replace(BIG, specials=(special,))
    assert own_bodies(seen((unit,)), SITE) == (Body(Cell(5, 2), radius, 4),)


@pytest.mark.parametrize(
    "fields",
    [
        {"hidden": True},
        {"fate": Fate.DESTROYED},
        {"fate": Fate.ESCAPED},
        {"site": FAR},
        {"site": None, "cell": None, "aboard": OwnId("S1")},
        {"cell": None},
        {"specials": (Special.PRB,)},
    ],
    ids=["hidden", "destroyed", "gone", "elsewhere", "aboard", "on no cell", "not large"],
)
def test_a_unit_hides_nothing_that_is_hidden_elsewhere_gone_or_small(
    fields: dict[str, object],
) -> None:
    assert own_bodies(seen((BIG,)), SITE) == (UNIT_BODY,)
    assert own_bodies(seen((replace(BIG, **fields),)), SITE) == ()


def test_each_map_has_its_own_bodies() -> None:
    away = replace(BIG, id=OwnId("G2"), site=FAR)
    landing = Landing(body="Ceres", sector=Compass.SE, environs=2, cell=Cell(7, 3))
    parked = replace(DOWN, id=OwnId("S2"), size=BaseSize.MEDIUM, landed=landing)
    view = seen((BIG, away), (DOWN, parked))
    assert own_bodies(view, SITE) == (UNIT_BODY, SHIP_BODY)
    # A ship of a medium base is an aerodyne, 5 inches high and large.
    assert own_bodies(view, FAR) == (UNIT_BODY, Body(Cell(7, 3), 1, 5))


@pytest.mark.parametrize(
    ("size", "specials", "body"),
    [
        (BaseSize.SMALL, (), ()),
        (BaseSize.SMALL, (Special.SLG,), (Body(Cell(7, 3), 3, 5),)),
        (BaseSize.MEDIUM, (), (Body(Cell(7, 3), 1, 5),)),
        (BaseSize.LARGE, (), (SHIP_BODY,)),
        (BaseSize.LARGE, (Special.LG,), (SHIP_BODY,)),
    ],
    ids=["small", "small by its base, not by its class", "medium", "large", "the larger counts"],
)
def test_a_landed_ship_is_as_large_as_its_base_or_its_class_says(
    size: BaseSize, specials: tuple[Special, ...], body: tuple[Body, ...]
) -> None:
    ship = replace(DOWN, size=size, specials=specials)
    assert own_bodies(seen((), (ship,)), SITE) == body


@pytest.mark.parametrize(
    "fields",
    [{"fate": Fate.DESTROYED}, {"fate": Fate.ESCAPED}, {"landed": None}],
    ids=["destroyed", "gone", "in space"],
)
def test_a_ship_that_is_gone_or_in_space_hides_nothing(fields: dict[str, object]) -> None:
    assert own_bodies(seen((), (replace(DOWN, **fields),)), SITE) == ()


def test_a_ship_landed_on_no_cell_stands_in_the_middle_of_the_map() -> None:
    # The drawn map is 12 by 6 cells; of the four in the middle the north-eastern one counts.
    landing = Landing(body="Ceres", sector=Compass.N, environs=1)
    found = own_bodies(seen((), (replace(DOWN, landed=landing),)), SITE)
    assert found == (Body(Cell(6, 3), 2, 10),)
