"""The rooms of a package, what they hold, and which imports from which: read from the code."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from builders.sources import source_of

ROOT: Final = Path(__file__).parents[2]

PACKAGES: Final = {
    "sunglare_protocol": "protocol",
    "sunglare_rules": "protocol",
    "sunglare_rules.advice": "protocol",
    "sunglare_server": "server",
    "sunglare_server.match": "server",
    "sunglare_arena": "server",
    "sunglare_gym": "server",
    "sunglare_client": "client",
}
"""Packages by the folder of their distribution; the rooms of one are what lies in it itself."""


def home_of(package: str) -> Path:
    """Return the folder of a package."""
    return ROOT / PACKAGES[package] / Path(*package.split("."))


def imports_of(path: Path) -> Iterator[str]:
    """Yield what a module imports, by dotted names."""
    for module, name in source_of(path).imports:
        if module:
            yield f"{module}.{name}" if name else module


def graph_of(package: str) -> dict[str, set[str]]:
    """Return by room of a package the rooms from which it imports."""
    home = home_of(package)
    graph: dict[str, set[str]] = {}
    for path in sorted(home.rglob("*.py")):
        room = path.relative_to(home).with_suffix("").parts[0]
        wanted = [name for name in imports_of(path) if name.startswith(f"{package}.")]
        rooms = {name.removeprefix(f"{package}.").split(".")[0] for name in wanted}
        there = {
            name for name in rooms if (home / name).is_dir() or (home / f"{name}.py").exists()
        }
        graph.setdefault(room, set()).update(there - {room})
    return graph


def said_of(path: Path) -> str:
    """Return the first line of what a module, or the package in a folder, says of itself."""
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return source_of(file).docstring.partition("\n")[0]


def heights(graph: dict[str, set[str]]) -> dict[str, int]:
    """Return how many rooms stand one above the other below each, at most."""
    found: dict[str, int] = {}

    def height(room: str) -> int:
        if room not in found:
            found[room] = 1 + max((height(other) for other in graph[room]), default=-1)
        return found[room]

    for room in graph:
        height(room)
    return found


def picture(package: str) -> str:
    """Return a picture of a package: each layer imports from those below it alone."""
    graph = {room: wanted for room, wanted in graph_of(package).items() if room != "__init__"}
    floors = heights(graph)
    lines = [
        "  ".join(sorted(room for room in graph if floors[room] == floor))
        for floor in range(max(floors.values()), -1, -1)
    ]
    width = max(map(len, lines))
    return "\n".join(["```text", *(line.center(width).rstrip() for line in lines), "```"])


def packages_table(package: str, *modules: str) -> str:
    """Return the table of the folders in a package, and of these modules, the highest first."""
    graph = {room: wanted for room, wanted in graph_of(package).items() if room != "__init__"}
    floors = heights(graph)
    rows = ["| Package | Holds |", "|---|---|"]
    for room in sorted(graph, key=lambda name: (-floors[name], name)):
        path = home_of(package) / room
        if path.is_dir() or room in modules:
            rows.append(f"| `{room}` | {said_of(path)} |")
    return "\n".join(rows)


APPS: Final = ("app", "gateway_app", "archivist")
"""The modules that wire a process."""

MATCH: Final = ("step", "state", "frames", "record", "dice")
"""The modules of a match that its page names beside the folders."""

ROOM_TABLES: Final[dict[str, Callable[[], str]]] = {
    "layers of a match": lambda: picture("sunglare_server.match"),
    "packages of a match": lambda: packages_table("sunglare_server.match", *MATCH),
    "packages of the server": lambda: packages_table("sunglare_server", *APPS),
    "chapters of the rules": lambda: packages_table("sunglare_rules"),
    "packages of the client": lambda: packages_table("sunglare_client"),
}
"""What makes the tables of the page on the architecture, by the name in its marks."""
