"""The table of ship classes of the rules page, which shows every field of a class."""

from collections.abc import Callable

from builders.data import CLASSES
from documents.indextables import words_of_kind
from documents.wirewords import table
from sunglare_protocol.words.pieces import PieceKind
from sunglare_protocol.words.scans import ScanType
from sunglare_protocol.words.specials import NUMBERED
from sunglare_rules.fire.weapons import has_arc, has_class
from sunglare_server.match.data.scenario import Ratings, ShipClass, Weapon


def _weapon(weapon: Weapon) -> str:
    rank = f" {weapon.rank}" if has_class(weapon.kind) else ""
    power = "" if weapon.damage is None else " " + "/".join(map(str, weapon.damage))
    kind = f"{weapon.id} {words_of_kind(weapon.kind)}{rank}{power}"
    if not has_arc(weapon.kind):
        return kind
    aim = f"turret {weapon.turret}" if weapon.arc is None else weapon.arc.value.replace("_", " ")
    needs = "" if weapon.needs is None else f" at what is {weapon.needs.value.replace('_', ' ')}"
    return f"{kind}, {aim}{needs}"


def _ratings(ratings: Ratings) -> str:
    values = [ratings.of(scan_type) for scan_type in ScanType]
    return f"+{values[0]}" if len(set(values)) == 1 else "/".join(f"+{value}" for value in values)


def _sensors(kind: ShipClass) -> str:
    return _ratings(kind.sensors) if kind.kind is PieceKind.STARSHIP else "none"


def _carried(kind: ShipClass) -> str:
    flights = f"{kind.flights} flights of fighters" if kind.flights else ""
    bays = f"bays {kind.bays}" if kind.bays else ""
    return ", ".join(filter(None, (flights, bays))) or "none"


def _fitted(kind: ShipClass) -> str:
    defence = f"point defence {kind.point_defence}" if kind.point_defence else ""
    fitted = {
        "cloak": kind.cloak,
        "shuttle": kind.shuttle,
        "agent spaceship": kind.agent_spaceship,
    }
    parts = [defence, *(word for word, is_so in fitted.items() if is_so)]
    parts += [special.value for special in kind.specials if special not in NUMBERED]
    if kind.remote is not None:
        parts.append(f"RSD {kind.dispensers} ({kind.remote.name})")
    return ", ".join(filter(None, parts)) or "none"


CLASS_COLUMNS: dict[str, tuple[tuple[str, ...], Callable[[ShipClass], object]]] = {
    "class": (("name",), lambda kind: kind.name),
    "size": (("size",), lambda kind: kind.size.value),
    "hull": (("hull",), lambda kind: kind.hull),
    "thrust": (("thrust",), lambda kind: kind.thrust),
    "drive": (("drive",), lambda kind: kind.drive.value),
    "screens": (("screens",), lambda kind: kind.screens),
    "sensors": (("sensors",), _sensors),
    "points": (("points",), lambda kind: kind.points),
    "weapons": (("weapons",), lambda kind: "; ".join(map(_weapon, kind.weapons)) or "none"),
    "turrets": (
        ("turrets",),
        lambda kind: (
            ", ".join(f"{turret.id} {turret.kind.value}" for turret in kind.turrets) or "none"
        ),
    ),
    "carries": (("flights", "bays"), _carried),
    "equipment": (
        (
            "point_defence",
            "cloak",
            "shuttle",
            "agent_spaceship",
            "specials",
            "dispensers",
            "remote",
        ),
        _fitted,
    ),
    "kind": (("kind",), lambda kind: kind.kind.value),
    "seen as": (("family",), lambda kind: kind.type_shown),
}
"""The columns of the table of classes: the fields of a class that each shows, and how."""


def class_table() -> str:
    """Return the table of all shipped ship classes, with every field of each."""
    shows = [show for _, show in CLASS_COLUMNS.values()]
    rows = (tuple(show(kind) for show in shows) for kind in CLASSES.values())
    return table(tuple(CLASS_COLUMNS), rows)
