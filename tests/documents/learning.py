"""Pictures of the book to learn from: `python tests/documents/learning.py`.

They are boards of stored matches (`bookmatches.py`), so that a new bot changes no page; how notes
over them look stands in `booklook.py`, and the book's tables are made by `booktables.py`.
"""

import sys
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple, final

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from builders.orders import read_on
from documents.booklook import (
    Mark,
    Note,
    Ring,
    Strip,
    Way,
    board_grid,
    ground_grid,
    noted,
    points_wide,
)
from sunglare_client.export.colours import Theme
from sunglare_client.export.grounds import grounds_of, sites_in_use
from sunglare_client.export.sketching import Around, sketch
from sunglare_client.export.svg import svg
from sunglare_client.map.cells import Overlay
from sunglare_client.map.chart import Wish, chart_of
from sunglare_client.map.layers import overlay
from sunglare_client.map.sheet import RULER, RULER_ROWS
from sunglare_client.replays.recording import Recording, read_recording
from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import OwnId
from sunglare_protocol.messages import Frame
from sunglare_protocol.orders import Scan
from sunglare_protocol.views import TruthView, View

ROOT: Final = Path(__file__).parents[2]
MATCHES: Final = Path(__file__).with_name("matches")
PICTURES: Final = ROOT / "client" / "learning"

_WIDE: Final = 10_000


@final
class Picture(NamedTuple):
    """A board of a stored match where a window opens, as an audience sees it, and notes on it.

    `scan` is the line of a scan whose box is drawn, `arcs` an own ship whose firing arcs are,
    `own` one whose `layers` are drawn, if not those of all.
    `part` is what is shown of the board: its first square, and how many columns and rows. Notes
    lie on the surface map beside the board if the picture is `on_ground`.
    """

    name: str
    match: str
    eyes: str
    window: str
    caption: str
    marks: tuple[Mark, ...] = ()
    layers: tuple[str, ...] = ()
    scan: str = ""
    arcs: str = ""
    own: str = ""
    part: tuple[int, int, int, int] | None = None
    on_ground: bool = False

    @property
    def file(self) -> Path:
        """Return the file of the picture."""
        return PICTURES / f"{self.name}.svg"


BOARDS: Final = (
    Picture(
        "ceres-plot",
        "ceres",
        "A",
        "2.plot",
        "Turn 2, PLOT: all that side A knows",
        (
            Note("your frigate", 14, 9, 2, -3),
            Note("it will drift to here", 16, 11, 3, -2),
            Note("Ceres and its gravity well", 19, 17, 3, -3),
            Note("the shadow of Ceres", 19, 31, -2, 0),
            Note("an asteroid", 26, 24, -2, 2),
            Note("memories", 28, 27, 1, 2),
        ),
        ("ghosts",),
        part=(5, 3, 30, 31),
    ),
    Picture(
        "ceres-truth",
        "ceres",
        "omni",
        "2.plot",
        "Turn 2, PLOT: the truth",
        part=(5, 3, 30, 31),
    ),
    Picture(
        "ceres-found",
        "ceres",
        "A",
        "2.engage",
        "Turn 2, ENGAGE: what side A may fire at",
        (Note("S1 bears on C4 and C3", 17, 12, 3, -3), Note("old memories", 28, 27, -1, 3)),
        arcs="S1",
        part=(10, 8, 30, 24),
    ),
    Picture(
        "turn-move",
        "ceres",
        "A",
        "2.plot",
        "drift, then thrust",
        (
            Way(((14, 9), (16, 11))),
            Way(((16, 11), (17, 12))),
            Note("first the drift, +2,+2", 15, 10, 2, -1),
            Note("then thrust, +1,+1", 16.5, 11.5, 2, 0),
            Note("the new vector: +3,+3", 17, 12, 2, 2),
        ),
        part=(10, 7, 20, 10),
    ),
    Picture(
        "sun-glare",
        "sun",
        "A",
        "1.scan.1",
        "Turn 1: S1 looks at B2, into the sun",
        (
            Note("a frigate lies here", 6, 7, 5, -4),
            Note("S1 is dazzled", 6, 13, 1.5, 1.5),
            Note("S2 lies in the shadow", 15, 19, -1, 3),
        ),
        ("glare",),
        scan="scan S1 visual 1box B2",
        own="S1",
    ),
    Picture(
        "sun-shadow",
        "sun",
        "B",
        "1.engage",
        "Turn 1, side B: where the scans came from",
        (
            Note("A.S1 is in here", 7, 6, 1, -3),
            Note("A.S2 is in here", 15, 18, 1, -1),
            Note("your Moth", 6, 7, -0.5, -3),
            Note("your Wasp", 15, 24, -1.5, -2),
        ),
        ("places",),
    ),
    Picture(
        "sun-sectors",
        "sun",
        "A",
        "3.scan.2",
        "Turn 3: S3 in the well looks past the planet",
        (
            Note("near W", 13, 11, -1, -5),
            Note("far W", 7, 12, 1, 5),
            Note("S3: near E", 19, 10, -1, -5),
        ),
        ("sectors",),
        scan="scan S3 visual 3box C4",
    ),
    Picture(
        "arcs-left",
        "arcs",
        "A",
        "1.engage",
        "Turn 1: the firing arcs of S1",
        (Note("front", 16, 13), Note("left, by the turret", 11, 5)),
        arcs="S1",
    ),
    Picture(
        "arcs-bullseye",
        "arcs",
        "A",
        "2.engage",
        "Turn 2: the firing arcs of S2",
        (Strip((8.7, 12.3), (18, 3), 0.75), Note("bullseye", 16, 5, -1, -2)),
        arcs="S2",
    ),
    Picture(
        "hunt-truth",
        "hunt",
        "omni",
        "4.detect",
        "The raider's way",
        (
            Way(((28, 18), (24, 18), (20, 18), (13, 15), (6, 12))),
            Note("1: thrust 4", 24, 18, 0, -2),
            Note("2: drifts", 20, 18, -1, -3.5),
            Note("3: one turn + thrust 3 = 4", 13, 15, 1, -4),
            Note("4: turns, is swept", 6, 12, 1, -4),
        ),
        part=(0, 5, 30, 20),
    ),
    Picture(
        "search-watch",
        "search",
        "A",
        "2.engage",
        "Turn 2, ENGAGE: the garrison of Tarn 1",
        (Note("AF 3", 3, -3, 1.5, -1), Note("AF 3", 8, -4, -1.5, -1)),
        part=(5, 5, 10, 10),
        on_ground=True,
    ),
    Picture(
        "ecm-reach",
        "ecm",
        "A",
        "1.engage",
        "Turn 1: what the Bloodhound makes out",
        (
            Ring("BH", 12, 14, 10.8),
            Ring("eyes", 12, 14, 6.6),
            Ring("ECM", 21, 12, 5),
            Ring("AECM", 17, 19, 5),
            Note("a cruiser", 21, 12, -1, -1.5),
            Note("a frigate", 9, 5, -1, -2),
            Note("a blip", 17, 19, 1, 2),
        ),
    ),
    Picture(
        "bombard-hit",
        "bombard",
        "A",
        "2.over",
        "Turn 2: a hit, guided",
        (
            Ring("full", 6, -4, 1, is_above=True),
            Ring("half", 6, -4, 2, is_above=True),
            Note("C2 was here", 7, -4, 2, 1),
        ),
        part=(5, 4, 10, 10),
        on_ground=True,
    ),
)
"""All pictures of the book."""


@cache
def recording_of(match: str) -> Recording:
    """Return a stored match."""
    return read_recording((MATCHES / f"{match}.sgr").read_bytes())


def frame_at(match: str, eyes: str, window: str) -> Frame:
    """Return what an audience of a stored match was sent when a window opened."""
    recording = recording_of(match)
    found = (at for at, step in enumerate(recording.steps) if step.window == window)
    frame = recording.shown_at(eyes, next(found))
    if frame is None:
        raise LookupError(f"{eyes} was sent nothing in {match}")
    return frame


def drawn(picture: Picture) -> str:
    """Return a picture as an SVG document."""
    view = frame_at(picture.match, picture.eyes, picture.window).view
    chart = chart_of(view, _wish(view, picture))
    sides = view.stage.sides if isinstance(view, TruthView) else ()
    grounds = grounds_of(view, sites_in_use([view]))
    whole = sketch(chart, picture.caption, Around(picture.caption, grounds, sides))
    drawing = svg(whole, Theme.PAGE, points_wide(whole.width))
    north_west = chart.shown
    grid = board_grid(north_west.west, north_west.north)
    if picture.on_ground:
        grid = ground_grid(whole.board, len(grounds[0].rows))
    return noted(drawing, grid, picture.marks)


def _wish(view: View | TruthView, picture: Picture) -> Wish:
    wish = Wish(width=_WIDE) if picture.part is None else _part(*picture.part)
    if isinstance(view, TruthView):
        return wish
    scans = read_on(view, picture.scan) if picture.scan else ()
    scan = next((order for order in scans if isinstance(order, Scan)), None)
    over: Overlay = overlay(view, (), picture.layers, OwnId(picture.own) or None)
    return wish._replace(scan=scan, arcs=OwnId(picture.arcs) or None, over=over)


def _part(west: int, north: int, columns: int, rows: int) -> Wish:
    middle = Square(west + columns // 2, north + rows // 2)
    return Wish(RULER + columns, RULER_ROWS + rows, middle, noted=False)


def main() -> None:
    """Write all pictures, and remove those that are no more."""
    PICTURES.mkdir(exist_ok=True)
    for old in PICTURES.glob("*.svg"):
        old.unlink()
    for picture in BOARDS:
        picture.file.write_text(drawn(picture), encoding="utf-8")


if __name__ == "__main__":
    main()
