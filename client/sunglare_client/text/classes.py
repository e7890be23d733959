"""The classes of ships of the rule book, by the type as which others identify them.

A scenario may have classes of its own: of these the rule book has nothing.
"""

from collections.abc import Mapping
from functools import lru_cache

from sunglare_client.text.rulebook import sections
from sunglare_protocol.views import ContactView, View
from sunglare_protocol.words.ladder import Fate, Fix

SEEN_AS = "seen as"
"""The column of the type as which others identify a class."""


@lru_cache(maxsize=1)
def _classes() -> tuple[Mapping[str, str], ...]:
    (ships,) = (one for one in sections() if one.chapter == "turn" and one.title == "ships")
    rows = (dict(passage.cells) for passage in ships.passages)
    return tuple(row for row in rows if SEEN_AS in row)


def worth_of(type_seen: str) -> str:
    """Return what a ship of that type is worth, as in `4` or `4 to 6`; empty if unknown."""
    points = sorted(int(row["points"]) for row in _classes() if row[SEEN_AS] == type_seen)
    if not points:
        return ""
    return f"{points[0]}" if points[0] == points[-1] else f"{points[0]} to {points[-1]}"


def class_lines(contact: ContactView) -> list[str]:
    """Return the classes that an identified ship may have, each with its figures.

    Once a data scan has found the class, that one alone.
    """
    known = [
        row
        for row in _classes()
        if row[SEEN_AS] == contact.type
        and (contact.dossier is None or contact.dossier.variant == row["class"])
    ]
    return [line for row in known for line in _figures(row)]


def worth_lines(contact: ContactView) -> list[str]:
    """Return what an identified ship is worth and how to see its classes; none if unknown."""
    worth = "" if contact.type is None else worth_of(contact.type)
    return [f"Worth {worth}; rules {contact.type} shows its class."] if worth else []


def _figures(row: Mapping[str, str]) -> list[str]:
    rest = "".join(f", {row[name]}" for name in ("carries", "equipment") if row[name] != "none")
    hull = f"hull {row['hull']}, thrust {row['thrust']}, screens {row['screens']}"
    return [
        f"class {row['class']}, worth {row['points']}: {hull}, sensors {row['sensors']}{rest}.",
        f"  {row['weapons']}.",
    ]


def ship_goals(view: View) -> list[str]:
    """Return what each foreign ship that the viewer holds and has identified is worth.

    A sentence each; none of a memory, for that may be of a ship that is held by a newer label, or
    that has been destroyed.
    """
    rows = []
    for one in view.contacts:
        is_there = one.fate is Fate.IN_PLAY and one.fix is not Fix.MEMORY
        worth = worth_of(one.type) if one.type is not None and is_there else ""
        if worth.strip("0"):
            rows.append(f"Destroy {one.label}, {one.type} of {one.side}: {worth} points.")
    return rows
