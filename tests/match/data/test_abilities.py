"""Special abilities in a classes file: what is read, and what a fault is told as."""

import pytest

from builders.data import CLASSES, WEAPONS, fault, read, scenario
from sunglare_server.match.data.files import read_classes
from sunglare_server.match.data.scenario import ShipClass

SLOOP = '[sloop]\nsize = "small"\nhull = 8\nthrust = 4\npoints = 2\n'
BUOY = '[buoy]\nkind = "remote"\nsize = "small"\nhull = 1\nthrust = 0\npoints = 0\n'


def classes(more: str, known: dict[str, ShipClass] | None = None) -> dict[str, ShipClass]:
    return read_classes(SLOOP + more, "my-ships.toml", WEAPONS, known)


def of_types(ours: str, theirs: str) -> str:
    """Return a scenario with a ship of each of these types."""
    kite, moth = 'name = "Kite", type = ', 'name = "Moth", type = '
    text = scenario().replace(f'{kite}"frigate"', f'{kite}"{ours}"')
    return text.replace(f'{moth}"frigate"', f'{moth}"{theirs}"')


def test_a_class_has_the_abilities_it_names() -> None:
    made = classes('specials = ["ECM", "RSD 2"]\nremote = "buoy"\n' + BUOY)["sloop"]
    assert [special.value for special in made.specials] == ["ECM", "RSD"]
    assert made.dispensers == 2
    assert made.remote is not None
    assert made.remote.name == "buoy"


@pytest.mark.parametrize("word", ["RSD 2", "RSD2"])
def test_a_number_is_written_with_or_without_a_blank(word: str) -> None:
    made = classes(f'specials = ["{word}"]\nremote = "buoy"\n{BUOY}')["sloop"]
    assert made.dispensers == 2


def test_a_class_shows_as_its_family_or_else_as_itself() -> None:
    assert classes('family = "cutter"\n')["sloop"].type_shown == "cutter"
    assert classes("")["sloop"].type_shown == "sloop"


def test_a_remote_sensor_of_another_file_may_be_launched() -> None:
    made = classes('specials = ["RSD 1"]\nremote = "sensor-buoy"\n', CLASSES)["sloop"]
    assert made.remote == CLASSES["sensor-buoy"]


@pytest.mark.parametrize(
    ("more", "key", "right"),
    [
        ('specials = ["PROBE"]\n', "sloop.specials[0]", "ECM, AECM, LECM"),
        ('specials = ["ECM", "prb"]\n', "sloop.specials[1]", "known are"),
        ('specials = ["RSD"]\n', "sloop.specials[0]", "RSD n"),
        ('specials = ["ECM 2"]\n', "sloop.specials[0]", "known are"),
        ('specials = ["RSD 0"]\n', "sloop.specials[0]", "1 to 6"),
        ('specials = ["RSD 7"]\n', "sloop.specials[0]", "1 to 6"),
        ('specials = ["ECM", "ECM"]\n', "sloop.specials[1]", "twice"),
        ('specials = ["RSD 1"]\n' + BUOY, "sloop.remote", "buoy"),
        ('specials = ["RSD 1"]\nremote = "sloop"\n' + BUOY, "sloop.remote", "buoy"),
        ('remote = "buoy"\n' + BUOY, "sloop.remote", "RSD n"),
        (BUOY + 'specials = ["RSD 1"]\nremote = "buoy"\n', "buoy.specials", "no RSD"),
        ("specials = [3]\n", "sloop.specials", "str"),
    ],
    ids=[
        "unknown",
        "wrong case",
        "no number",
        "a number too much",
        "no dispenser",
        "too many dispensers",
        "twice",
        "nothing to launch",
        "a ship to launch",
        "nothing to launch with",
        "a sensor that launches",
        "no text",
    ],
)
def test_a_fault_in_abilities_names_file_and_key_and_what_would_be_right(
    more: str, key: str, right: str
) -> None:
    found = fault(classes, more)
    assert (found.file, right in found.why) == ("my-ships.toml", True), str(found)
    assert found.key.startswith(key)


def test_no_roster_has_a_remote_sensor() -> None:
    found = fault(read, of_types("sensor-buoy", "frigate"))
    assert found.key == "sides.A.ships[0].type"
    assert "sensor-buoy" not in found.why.partition("known are")[2]


def test_a_weapon_may_not_be_called_like_a_system() -> None:
    mount = 'weapons = [{ id = "probe", weapon = "beam-1", arc = "front" }]\n'
    assert "probe" in fault(classes, mount).why


def test_a_scenario_with_variants_is_read() -> None:
    made = read(of_types("tender-frigate", "ghost-courier"))
    assert sorted(made.classes) == ["ghost-courier", "tender-frigate"]
