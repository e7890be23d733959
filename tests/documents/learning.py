"""Pictures and tables of the book to learn from: `python tests/documents/learning.py`.

The pictures are of stored matches, so that a new bot changes no page; the tables are counted by
the rules.
"""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from documents.wirewords import table
from sunglare_client.export.exporting import Wanted, made_of
from sunglare_protocol.words.specials import Special
from sunglare_rules.blips.ecm import ANGEL_TIER, ECM_TIER, NO_TIER
from sunglare_rules.blips.spotting import Sight, Spotter, Subject, sensor_spot
from sunglare_rules.capital.blasts import FULL_INCHES, HALF_INCHES
from sunglare_rules.cloak.cloak import detection_value, passive_chance
from sunglare_rules.cloak.trackers import Trackers, solution_window, stepped
from sunglare_rules.search.search import chance, entry, hiding_value, search_value
from sunglare_rules.turn.metric import SPACE, Span

ROOT: Final = Path(__file__).parents[2]
MATCHES: Final = Path(__file__).with_name("matches")
PICTURES: Final = ROOT / "client" / "learning"

WIDTH: Final = 640
"""How wide a picture is, in points."""


class Picture(NamedTuple):
    """A board of a stored match: where a turn begins, as a side sees it."""

    match: str
    eyes: str
    turn: int

    @property
    def file(self) -> Path:
        """Return the file of the picture."""
        return PICTURES / f"{self.match}-{self.eyes}-{self.turn}.svg"


BOARDS: Final = (Picture("ceres", "A", 2), Picture("ceres", "A", 3), Picture("ceres", "omni", 2))
"""All pictures of the book."""


def drawn(picture: Picture) -> bytes:
    """Return a picture as an SVG document."""
    data = (MATCHES / f"{picture.match}.sgr").read_bytes()
    turns = range(picture.turn, picture.turn + 1)
    wanted = Wanted(eyes=picture.eyes, turns=turns, width=WIDTH)
    return made_of(data, picture.match, "svg", wanted)


def _hunt() -> str:
    cases = ((1, 0, 0), (3, 0, 0), (4, 0, 1), (4, 1, 1), (6, 0, 0))
    rows = []
    for cloaked, listener, loudest in cases:
        value = detection_value(cloaked, listener, loudest)
        rows.append((cloaked, listener, loudest, value, f"{float(passive_chance(value)):.0%}"))
    heads = ("cloaked ship's thrust", "listener's", "loudest uncloaked ship's", "value", "heard")
    return table(heads, rows)


def _trackers() -> str:
    return table(
        ("turn", "ships that heard it", "sweep found it", "solution"),
        _tracked(((2, False), (1, False), (2, False), (0, False), (0, True))),
    )


def _tracked(turns: tuple[tuple[int, bool], ...]) -> Iterator[tuple[object, ...]]:
    kept = Trackers()
    for turn, (heard, swept) in enumerate(turns, 1):
        kept = stepped(kept, heard, swept)
        has = solution_window(kept, heard, swept)
        yield turn, heard, "yes" if swept else "no", "yes" if has else "no"


def _search() -> str:
    value, hiding = search_value((3, 3), 2, (3,)), hiding_value(4, 2, 2)
    rows = (
        ("search value: troops with AF 3 and 3, a leader of 2, an agent of 3", value),
        ("hiding value: intelligence 4, size of the environs 2, two agents", hiding),
        ("the die that still finds them", f"1 to {entry(hiding, value)} of 10"),
        ("chance", f"{float(chance(hiding, value)):.0%}"),
    )
    return table(("step", "figure"), rows)


def _spotting() -> str:
    rows = []
    near, far = Sight(Span(SPACE, 16), los=False), Sight(Span(SPACE, 49), los=False)
    for name, probe in (("none", ()), ("PRB", (Special.PRB,)), ("BH", (Special.BH,))):
        spotter = Spotter(specials=probe)
        for cover, tier in (("none", NO_TIER), ("ECM", ECM_TIER), ("AECM", ANGEL_TIER)):
            quarry = Subject(cover=tier)
            seen = (sensor_spot(spotter, quarry, sight) for sight in (near, far))
            rows.append((name, cover, *("yes" if one else "no" for one in seen)))
    return table(("probe", "target's cover", "at 4 squares", "at 7 squares"), rows)


def _blasts() -> str:
    rows = (
        (kind.value.upper().replace("_", "-"), f"{FULL_INCHES} in", f"{reach} in")
        for kind, reach in HALF_INCHES.items()
    )
    return table(("weapon", "full damage within", "half damage within"), rows)


BOOK_TABLES: Final[dict[str, Callable[[], str]]] = {
    "book hunt": _hunt,
    "book trackers": _trackers,
    "book search": _search,
    "book spotting": _spotting,
    "book blasts": _blasts,
}


def main() -> None:
    """Write all pictures; the tables are written by `doctables.py`."""
    PICTURES.mkdir(exist_ok=True)
    for picture in BOARDS:
        picture.file.write_bytes(drawn(picture))


if __name__ == "__main__":
    main()
