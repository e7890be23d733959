"""Faults of the file of ship classes that its types allow: keys and what would be right."""

from collections.abc import Iterator

from sunglare_server.match.data.checks.ground import Fault


def shading_faults(classes: dict[str, object]) -> Iterator[Fault]:
    """Yield the classes that name firing arcs of their own: their weapons alone decide on them."""
    for name, table in classes.items():
        if isinstance(table, dict) and "shaded" in table:
            words = ", ".join(_aims_of(table.get("weapons"))) or "it has none"
            yield f"{name}.shaded", f"leave it out: its weapons decide where it fires ({words})"


def _aims_of(weapons: object) -> Iterator[str]:
    """Yield each weapon with its arc or turret, as far as the table says, which may be wrong."""
    for mount in weapons if isinstance(weapons, list) else ():
        if isinstance(mount, dict):
            turret = mount.get("turret")
            aim = mount.get("arc") if turret is None else f"turret {turret}"
            yield f"{mount.get('id')} {aim or 'all around'}"
