"""What players' programs must never have: the server's code, the truth, another side's aids."""

import inspect
import os
import pkgutil
import typing
from collections.abc import Collection, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import sunglare_rules.advice
from builders.sources import source_of
from sunglare_client.abilities import Ability
from sunglare_client.advice import Advice
from sunglare_client.bot import Bot
from sunglare_client.bots import BOTS
from sunglare_protocol.views import TruthView, View
from sunglare_server.housebots.housebots import child_environment

ROOT = Path(__file__).parents[2]
CLIENT = sorted((ROOT / "client").rglob("*.py"))
RULES = sorted((ROOT / "protocol").rglob("*.py"))

MAY_SHOW_THE_TRUTH = {
    "bot.py": "hands frames on only if they hold a side's view",
    "export/grounds.py": "paints what stands on the ground at the end of a match",
    "fullscreen/boardmap.py": "draws whatever is watched or held by a file",
    "fullscreen/replaying.py": "shows whatever a file holds of a match that is over",
    "fullscreen/spectating.py": "is the spectator's full screen",
    "fullscreen/scene.py": "says what may be drawn: a match, a feed, a file",
    "fullscreen/middle.py": "hands on whatever is watched or held by a file to the map",
    "fullscreen/showing.py": "plays steps of whatever is watched or held by a file",
    "map/passage.py": "compares two frames of whatever is watched or held by a file",
    "export/stills.py": "paints whatever a file holds of a match that is over",
    "text/lists/ground.py": "lists whatever frame a spectator follows",
    "map/chart.py": "makes the map of whatever frame a spectator follows",
    "map/groundchart.py": "makes the surface map of whatever a file holds",
    "map/marks.py": "marks the pieces of whatever frame a spectator follows",
    "map/drawing.py": "draws whatever frame a spectator follows",
    "text/lists/space.py": "lists whatever frame a spectator follows",
    "link/picture.py": "folds whatever frame comes",
    "replays/telling.py": "tells whatever a file holds of a match that is over",
    "replays/viewer.py": "shows whatever a file holds of a match that is over",
}
"""The modules of the client that know of the truth's view at all; the server says who gets it."""


def imported(path: Path) -> Iterator[str]:
    """Return the names of the modules that a module imports."""
    return (module for module, _ in source_of(path).imports)


def test_no_program_of_a_player_ever_imports_the_server() -> None:
    imports = {path: list(imported(path)) for path in (*CLIENT, *RULES)}
    assert len(imports) > 300
    foreign = ("sunglare_server", "tests")
    assert not {
        path: names
        for path, names in imports.items()
        if any(name.startswith(foreign) for name in names)
    }


def test_no_bot_and_no_aid_ever_knows_of_the_truth() -> None:
    home = ROOT / "client" / "sunglare_client"
    knowing = [path for path in CLIENT if "TruthView" in path.read_text(encoding="utf-8")]
    assert {str(path.relative_to(home)) for path in knowing} == set(MAY_SHOW_THE_TRUTH)
    bots = {path for path in CLIENT if path.parent.name == "bots"}
    assert len(bots) > 10
    assert not bots & set(knowing)


@pytest.mark.parametrize("kind", BOTS.values(), ids=BOTS)
def test_no_bot_is_ever_given_more_than_a_view(kind: type[Bot]) -> None:
    given = typing.get_type_hints(kind.on_window)
    assert given["view"] is View
    assert given["advice"] is Advice
    assert set(given) == {"view", "advice", "return"}
    made_of = typing.get_type_hints(Advice.__init__)
    assert made_of == {"view": View, "without": Collection[Ability], "return": type(None)}


def test_no_house_bot_is_ever_told_the_settings_of_its_server(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told = {"SEED": "the dice of every match", "JOURNAL": "/where/all/is.db", "TICKET": "another"}
    for name, value in told.items():
        monkeypatch.setenv(f"SUNGLARE_{name}", value)
    monkeypatch.setenv("SUNGLARE_HOME", "/where/tokens/are")
    fresh = child_environment("a-token", None)
    again = child_environment("a-token", "a-ticket")
    for given, own in ((fresh, "SUNGLARE_TOKEN"), (again, "SUNGLARE_TICKET")):
        assert {name for name in given if name.startswith("SUNGLARE_")} == {own}
        assert given["PATH"] == os.environ["PATH"]
    assert (fresh["SUNGLARE_TOKEN"], again["SUNGLARE_TICKET"]) == ("a-token", "a-ticket")


TABLES = ("sunglare_rules.advice.cards.told_rules",)
"""Modules of advice that hold words alone."""


def advice_modules() -> Iterator[str]:
    """Yield the names of the modules of advice."""
    home = sunglare_rules.advice
    for module in pkgutil.walk_packages(home.__path__, f"{home.__name__}."):
        if not module.ispkg:
            yield module.name


def classes_of(module: ModuleType) -> list[type]:
    """Return the classes that a module defines."""
    found = [kind for _, kind in inspect.getmembers(module, inspect.isclass)]
    return [kind for kind in found if kind.__module__ == module.__name__]


@pytest.mark.parametrize("name", [*advice_modules()])
def test_no_advice_ever_takes_anything_but_views_orders_and_words(name: str) -> None:
    module = import_module(name)
    functions = [
        function
        for home in (module, *classes_of(module))
        for _, function in inspect.getmembers(home, inspect.isfunction)
        if function.__module__ == name
    ]
    assert functions or name in TABLES
    for function in functions:
        for hint in typing.get_type_hints(function).values():
            assert "sunglare_server" not in str(hint)
            assert TruthView.__name__ not in str(hint)
