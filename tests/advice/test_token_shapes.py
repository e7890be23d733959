"""How high and how wide a token is taken to be: as it is built, or at best and at worst."""

import pytest
from msgspec.structs import replace

from builders.groundadvice import FAR, SITE, ground_view
from builders.terminals import GUARD
from sunglare_protocol.ids import Handle, OwnId, Side
from sunglare_protocol.surface import Build, Cell, Site
from sunglare_protocol.views import View
from sunglare_protocol.views.ground import SurfaceView, TokenView
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.specials import Special
from sunglare_rules.advice.check.ground_bodies import known_bodies, tokens
from sunglare_rules.advice.check.ground_fire import bears_at_worst
from sunglare_rules.advice.seen.token_shapes import Shape, at_best, at_worst, body_of_token
from sunglare_rules.ground.line_of_sight import Body, Viewpoint

CELL = Cell(4, 2)
BLIP = TokenView(label="C6", cell=CELL, turn=4, handle=Handle("tt4tt4"))


def known(build: Build, footprint: int = 0) -> TokenView:
    return replace(BLIP, side=Side("B"), type="thing", build=build, footprint=footprint)


def test_a_blip_may_be_a_landed_ship_or_a_remote_sensor() -> None:
    assert at_best(BLIP) == Shape(Viewpoint(CELL, 10), 3)
    assert at_worst(BLIP) == Shape(Viewpoint(CELL, 0), 0)


@pytest.mark.parametrize(
    ("build", "footprint", "shape"),
    [
        (Build.REMOTE, 0, (0, 0)),
        (Build.INFANTRY, 0, (1, 0)),
        (Build.MECH, 0, (2, 0)),
        (Build.LARGE_VEHICLE, 2, (2, 1)),
        (Build.VERY_LARGE, 4, (4, 2)),
        (Build.VERY_LARGE, 6, (4, 3)),
        (Build.SPHEROID, 4, (10, 2)),
    ],
)
def test_what_is_identified_is_as_high_and_wide_as_it_is_built(
    build: Build, footprint: int, shape: tuple[int, int]
) -> None:
    height, radius = shape
    token = known(build, footprint)
    assert at_best(token) == at_worst(token) == Shape(Viewpoint(CELL, height), radius)
    body = Body(CELL, radius, height) if radius else None
    assert body_of_token(token) == body


@pytest.mark.parametrize("half", [{"build": Build.MECH}, {"footprint": 4}], ids=str)
def test_half_of_what_an_identification_tells_is_as_good_as_nothing(
    half: dict[str, object],
) -> None:
    token = replace(BLIP, **half)
    assert (at_best(token), at_worst(token)) == (at_best(BLIP), at_worst(BLIP))
    assert body_of_token(token) is None


OWN = replace(GUARD, id=OwnId("G2"), cell=Cell(1, 1), height=2, specials=(Special.LG,))


def seen(*held: TokenView, site: Site = SITE) -> View:
    surface = SurfaceView(site=site, seen=True, tokens=held)
    return ground_view(Phase.ENGAGE, GUARD, OWN, surfaces=(surface,))


def test_the_large_units_that_are_known_are_the_own_and_the_identified_ones() -> None:
    large = known(Build.VERY_LARGE, 4)
    memory = replace(large, handle=None)
    view = seen(BLIP, memory, known(Build.MECH), large)
    own = Body(Cell(1, 1), 1, 2)
    assert known_bodies(view, SITE) == (own, Body(CELL, 2, 4))
    assert known_bodies(view, FAR) == ()
    assert known_bodies(seen(large, site=FAR), SITE) == (own,)
    assert tokens(view, SITE) == (BLIP, known(Build.MECH), large)


def test_a_unit_that_stands_on_no_map_bears_on_nothing() -> None:
    view, [gun] = seen(BLIP), GUARD.weapons
    assert bears_at_worst(view, GUARD, gun, BLIP)
    for fields in ({"site": None}, {"cell": None}, {"site": Site("Ceres", 9)}):
        assert not bears_at_worst(view, replace(GUARD, **fields), gun, BLIP)


def test_an_own_large_unit_in_the_way_spoils_an_attack_as_an_identified_one_does() -> None:
    [gun] = GUARD.weapons
    near = replace(GUARD, cell=Cell(1, 2))
    target = replace(known(Build.INFANTRY), cell=Cell(5, 2))
    tower = replace(OWN, cell=Cell(3, 2), height=4)
    open_ = replace(seen(target), ground=(near,))
    assert bears_at_worst(open_, near, gun, target)
    assert not bears_at_worst(replace(open_, ground=(near, tower)), near, gun, target)
    foe = replace(known(Build.VERY_LARGE, 2), cell=Cell(3, 2), handle=Handle("uuuuuu"))
    assert not bears_at_worst(replace(seen(target, foe), ground=(near,)), near, gun, target)
