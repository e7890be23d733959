"""What follows from detection: alerts, searches, leaders and mission groups."""

from itertools import permutations

import msgspec
import pytest

from builders.searches import (
    CAVES,
    FAR_TOWN,
    ORLOG,
    OVER_ORLOG,
    OVER_REDONDO,
    REDONDO,
    SPACE,
    TOWN,
    WILDS,
    A,
    B,
    agent,
    cruiser,
    yacht,
)
from sunglare_protocol.geometry import Board as Map
from sunglare_protocol.geometry import Planet, PlanetSize, Square
from sunglare_rules.search.agents import (
    Aboard,
    InOrbit,
    InSpace,
    Scene,
    VesselPlace,
    mission_groups,
    orbit_or_space,
    planet_of,
    searchable,
    stacked_at,
    unstacked_at,
)
from sunglare_rules.search.detection import Alert, alerts


def test_alerts_name_places_once_and_in_one_order() -> None:
    scene = Scene(
        agents=(
            agent("Rusk", Aboard("Yacht"), detected=True),
            agent("Vane", WILDS, detected=True),
            agent("Dray", WILDS, detected=True),
            agent("Clean", TOWN),
            agent("Far", Aboard("Drifter"), detected=True),
            agent("Foe", TOWN, owner=B, detected=True),
        ),
        vessels=(yacht(detected=True), cruiser("Drifter", SPACE), yacht("Lost", CAVES)),
    )
    assert alerts(scene) == (
        Alert(A, WILDS),
        Alert(A, OVER_ORLOG),
        Alert(A, Aboard("Drifter")),
        Alert(A, Aboard("Yacht")),
        Alert(B, TOWN),
    )


def test_a_detected_empty_ship_raises_an_alert_where_it_stands() -> None:
    scene = Scene(vessels=(yacht(at=CAVES, detected=True),))
    assert alerts(scene) == (Alert(A, CAVES), Alert(A, Aboard("Yacht")))


def test_an_alert_does_not_tell_how_many_are_there() -> None:
    few = Scene(agents=(agent("Rusk", detected=True),))
    many = Scene(agents=tuple(agent(f"P{at}", detected=True) for at in range(6)))
    assert alerts(few) == alerts(many)


TOGETHER = Scene(
    agents=(
        agent("Free", detected=True, mission=2),
        agent("Led", stacked=True, detected=True),
        agent("Inside", Aboard("Landed"), detected=True),
        agent("Other", WILDS, detected=True, mission=1),
        agent("Foe", owner=B, detected=True, mission=4),
        agent("Second", detected=True, mission=1),
    ),
    vessels=(yacht("Landed", TOWN, detected=True),),
)


def test_a_search_is_for_the_detected_without_troops_of_one_environs() -> None:
    names = [one_agent.name for one_agent in searchable(TOGETHER, A, TOWN)]
    assert names == ["Free", "Inside", "Second"]
    assert [one_agent.name for one_agent in searchable(TOGETHER, A, TOWN, 2)] == ["Free"]
    assert searchable(TOGETHER, A, FAR_TOWN) == ()


def test_nobody_is_searched_for_who_is_not_detected() -> None:
    scene = Scene(agents=(agent("Rusk"), agent("Vane", WILDS, detected=True)))
    assert searchable(scene, A, TOWN) == ()
    assert [one_agent.name for one_agent in unstacked_at(scene, A, TOWN)] == ["Rusk"]


def test_leaders_are_those_who_stand_with_the_troops() -> None:
    assert [one_agent.name for one_agent in stacked_at(TOGETHER, A, TOWN)] == ["Led"]
    assert stacked_at(TOGETHER, A, WILDS) == ()


def test_mission_groups_are_counted_by_environs_and_owner() -> None:
    assert mission_groups(TOGETHER, A, TOWN) == (1, 2)
    assert mission_groups(TOGETHER, A, WILDS) == (1,)
    assert mission_groups(TOGETHER, B, TOWN) == (4,)


def test_an_orbit_box_is_the_well_of_the_nearest_planet() -> None:
    near = Planet(name=ORLOG, at=Square(10, 10), size=PlanetSize.SMALL)
    far = Planet(name=REDONDO, at=Square(30, 30), size=PlanetSize.SMALL)
    board = Map(planets=(near, far))
    assert orbit_or_space(board, Square(11, 10)) == OVER_ORLOG
    assert orbit_or_space(board, Square(30, 31)) == OVER_REDONDO
    assert orbit_or_space(board, Square(20, 20)) == InSpace(Square(20, 20))
    close = msgspec.structs.replace(far, at=Square(12, 10))
    for planets in permutations((near, close)):
        crowded = Map(planets=planets)
        assert orbit_or_space(crowded, Square(9, 10)) == OVER_ORLOG
        assert orbit_or_space(crowded, Square(13, 10)) == OVER_REDONDO
        assert orbit_or_space(crowded, Square(11, 10)) == InOrbit(planets[0].name)


@pytest.mark.parametrize(
    ("place", "planet"), [(TOWN, ORLOG), (OVER_REDONDO, REDONDO), (SPACE, None)], ids=str
)
def test_ground_and_orbit_box_belong_to_a_planet(place: VesselPlace, planet: str | None) -> None:
    assert planet_of(place) == planet


@pytest.mark.parametrize("name", ["Rusk", "Yacht"])
def test_a_scene_knows_nobody_who_is_not_in_it(name: str) -> None:
    with pytest.raises(KeyError):
        Scene().agent(name)
    with pytest.raises(KeyError):
        Scene().vessel(name)
