"""The shipped data files against the rule book."""

import msgspec
import pytest

from builders.data import CLASSES, LIBRARY
from sunglare_protocol.geometry import PlanetSize, Square, box_named
from sunglare_protocol.ids import Side
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.pieces import Arc, BaseSize, PieceKind, TurretKind
from sunglare_protocol.words.scans import ScanType
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_server.match.truth.ordnance import FIGHTER


@pytest.mark.parametrize(
    ("name", "size", "hull", "thrust", "rating", "screens"),
    [
        ("corvette", BaseSize.SMALL, 8, 4, 3, 0),
        ("frigate", BaseSize.MEDIUM, 16, 3, 2, 0),
        ("cruiser", BaseSize.LARGE, 28, 2, 2, 1),
        ("raider", BaseSize.MEDIUM, 14, 4, 1, 0),
        ("courier", BaseSize.SMALL, 6, 4, 1, 0),
        ("decoy", BaseSize.LARGE, 1, 3, 0, 0),
    ],
)
def test_the_default_classes_have_the_figures_of_the_rule_book(
    name: str, size: BaseSize, hull: int, thrust: int, rating: int, screens: int
) -> None:
    found = CLASSES[name]
    assert (found.size, found.hull, found.thrust, found.screens) == (size, hull, thrust, screens)
    assert {found.sensors.of(scan_type) for scan_type in ScanType} == {rating}
    assert found.kind is (PieceKind.DECOY if name == "decoy" else PieceKind.STARSHIP)
    assert found.agent_spaceship is (name == "courier")


def test_the_rule_book_s_classes_are_shipped_and_further_ones_for_the_other_weapons() -> None:
    of_the_book = {"corvette", "frigate", "cruiser", "raider", "courier", "decoy"}
    further = {"lancer", "carrier", "dreadnought", "hunter", "thorn", "picket", "fighter"}
    further |= {"monitor", "gunboat", "assault-carrier", "strike-carrier"}
    further |= {"sentinel", "listening-post", "passive-post", "prowler", "gun-platform", "packet"}
    further |= {"blind-battery", "short-battery"}
    further |= {"blockade-runner", "night-lander", "corsair"}
    further |= {"hooded-dreadnought", "hooded-monitor"}
    plain = {name for name, kind in CLASSES.items() if not kind.specials}
    assert plain == of_the_book | further | {"sensor-buoy"}


@pytest.mark.parametrize("kind", list(WeaponKind), ids=lambda kind: kind.value)
def test_every_kind_of_weapon_is_mounted_in_some_class_of_a_scenario(kind: WeaponKind) -> None:
    played = {
        weapon.kind
        for scenario in LIBRARY.scenarios.values()
        for ship_class in scenario.classes.values()
        for weapon in ship_class.weapons
    }
    assert kind in played


def test_a_fighter_of_the_classes_is_the_one_that_a_carrier_launches() -> None:
    assert CLASSES["fighter"].type_shown == FIGHTER.type_shown
    assert msgspec.structs.replace(CLASSES["fighter"], family="") == FIGHTER
    assert (FIGHTER.thrust, FIGHTER.hull) == (4, 3)


@pytest.mark.parametrize(
    ("name", "family", "words"),
    [
        ("command-cruiser", "cruiser", "ECM"),
        ("masked-cruiser", "cruiser", "ECM"),
        ("veil-frigate", "frigate", "AECM LPRB"),
        ("jammer-frigate", "frigate", "AECM LPRB"),
        ("tender-frigate", "frigate", "PRB RSD"),
        ("hound-corvette", "corvette", "BH"),
        ("ghost-courier", "courier", "STL LPRB"),
        ("spy-drone", "spy-drone", "DRO"),
    ],
)
def test_a_variant_shows_as_its_family_and_has_its_abilities(
    name: str, family: str, words: str
) -> None:
    found = CLASSES[name]
    assert found.type_shown == family
    assert [special.value for special in found.specials] == words.split()


def test_the_tender_launches_one_spy_drone_a_turn() -> None:
    tender = CLASSES["tender-frigate"]
    assert tender.dispensers == 1
    assert tender.remote == CLASSES["spy-drone"]


def test_blip_parade_has_six_ships_of_mixed_value_a_side_and_hunts_the_flagships() -> None:
    scenario = LIBRARY.scenarios["blip-parade"]
    assert scenario.sides == ("A", "B")
    for side, other in (("A", "B"), ("B", "A")):
        setup, enemy = scenario.data.sides[Side(side)], scenario.data.sides[Side(other)]
        points = [CLASSES[entry.type].points for entry in setup.ships]
        assert len(points) == 6
        assert len(set(points)) > 3
        assert "decoy" in [entry.type for entry in setup.ships]
        flagship = max(enemy.ships, key=lambda entry: CLASSES[entry.type].points)
        assert (ObjectiveKind.IDENTIFY, flagship.name) in [
            (o.kind, o.piece) for o in setup.objectives
        ]
        assert (ObjectiveKind.SURVIVE, flagship.name, 1) in [
            (o.kind, o.piece, o.ends_after) for o in enemy.objectives
        ]


def test_in_blip_parade_one_ship_a_side_has_eyes_and_three_feel_alike_for_what_is_heavy() -> None:
    for setup in LIBRARY.scenarios["blip-parade"].data.sides.values():
        ratings = [CLASSES[entry.type].sensors for entry in setup.ships]
        assert sum(rating.visual > 0 for rating in ratings) == 1
        assert [rating.mass for rating in ratings if rating.mass > 0] == [4, 4, 4]


def test_the_shipped_scenarios_load() -> None:
    assert {"shadow-of-ceres", "reference-board"} <= set(LIBRARY.scenarios)


def test_shadow_of_ceres_has_two_sides_of_two_ships_a_small_planet_and_an_asteroid() -> None:
    scenario = LIBRARY.scenarios["shadow-of-ceres"]
    assert scenario.sides == ("A", "B")
    assert [len(setup.ships) for setup in scenario.data.sides.values()] == [2, 2]
    assert [planet.size for planet in scenario.data.planets] == [PlanetSize.SMALL]
    assert len(scenario.data.asteroids) == 1
    assert scenario.data.turns == 20
    assert not scenario.data.fixed


def test_the_reference_board_is_that_of_the_three_worked_scans() -> None:
    scenario = LIBRARY.scenarios["reference-board"]
    assert [(planet.at, planet.size) for planet in scenario.data.planets] == [
        (Square(15, 12), PlanetSize.SMALL)
    ]
    places = [ship.at for setup in scenario.data.sides.values() for ship in setup.ships]
    assert {Square(7, 27), Square(13, 14), Square(15, 17)} <= set(places)
    assert scenario.data.fixed


MAPS = {
    "four-corners": (7, 7),
    "redondo": (7, 7),
    "picket-line": (6, 6),
    "smugglers-moon": (5, 5),
    "two-harbours": (10, 5),
    "fortress": (5, 5),
    "two-planets": (7, 5),
}
"""The scenarios on another map than the default one, in boxes."""

SUNS = {"blip-parade": 4, "redondo": 3}
"""The scenarios under another sun than the default one."""


@pytest.mark.parametrize("name", sorted(LIBRARY.scenarios))
def test_a_shipped_scenario_is_played_on_the_default_map_unless_it_is_about_another(
    name: str,
) -> None:
    board = LIBRARY.scenarios[name].board
    assert (board.columns, board.rows) == MAPS.get(name, (8, 8))
    assert board.sunfactor == SUNS.get(name, 6)


@pytest.mark.parametrize("name", sorted(LIBRARY.scenarios))
def test_set_up_zones_lie_at_least_3_boxes_apart(name: str) -> None:
    setups = LIBRARY.scenarios[name].data.sides
    for side, setup in setups.items():
        for other, enemy in setups.items():
            for box in map(box_named, setup.zone):
                for far in map(box_named, enemy.zone):
                    apart = max(abs(box.column - far.column), abs(box.row - far.row))
                    assert side == other or apart >= 3


@pytest.mark.parametrize("name", sorted(LIBRARY.scenarios))
def test_only_the_reference_board_has_fixed_squares(name: str) -> None:
    assert LIBRARY.scenarios[name].data.fixed is (name == "reference-board")


def test_turrets_start_at_the_front_and_double_ones_at_front_and_rear() -> None:
    for kind in CLASSES.values():
        for turret in kind.turrets:
            single = turret.kind is TurretKind.SINGLE
            assert turret.arcs == ((Arc.FRONT,) if single else (Arc.FRONT, Arc.REAR))
