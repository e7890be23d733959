"""What the drawn map cannot show is counted at its edge, and a preview's box is always in it."""

import re
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from builders.desks import SCENES, frames_of, view_in
from builders.terminals import CONTACT, KITE, MEMORY, S1, TRACK, frame, screen, ship, view
from sunglare_client.command import Preview, ShowMap
from sunglare_client.map.drawing import draw_map
from sunglare_client.map.glyphs import UNICODE
from sunglare_client.terminal.turn_session import TurnSession
from sunglare_protocol.geometry import Board, Box, Square
from sunglare_protocol.orders import Scan
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Fate, Phase
from sunglare_protocol.words.scans import ScanSize, ScanType

COUNTED = re.compile(r"(\d+) (?:own piece|contact)s? ([NESW]{1,2}) of here")
_OWN = UNICODE.headings + UNICODE.cloaked + UNICODE.landed + UNICODE.remote
DRAWN = re.compile(f"[{_OWN}{''.join(UNICODE.fixes.values())}]")
STACKED = re.compile(r"^(.+) on -?\d+,-?\d+$")
AS_BEFORE = "(the map is as before)"

BIG = Board(columns=16, rows=16)


def scattered(*squares: Square) -> View:
    """Return a view of a big empty map with a contact on each of the squares."""
    contacts = tuple(
        msgspec.structs.replace(CONTACT, label=f"C{number}", square=square)
        for number, square in enumerate(squares, 1)
    )
    return msgspec.structs.replace(view(own=(), contacts=contacts), board=BIG)


def counts(rows: list[str]) -> list[tuple[int, str]]:
    """Return what the rows count beyond the edges."""
    return [(int(count), way) for row in rows for count, way in COUNTED.findall(row)]


@pytest.mark.parametrize(
    ("square", "way"),
    [
        (Square(40, 0), "N"),
        (Square(79, 0), "NE"),
        (Square(79, 40), "E"),
        (Square(79, 79), "SE"),
        (Square(40, 79), "S"),
        (Square(0, 79), "SW"),
        (Square(0, 40), "W"),
        (Square(0, 0), "NW"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
@pytest.mark.parametrize("zoom", [0, 1])
def test_a_piece_beyond_an_edge_is_counted_there(square: Square, way: str, zoom: int) -> None:
    focus = Square(40, 40)
    rows = draw_map(scattered(square, square), width=30, height=12, focus=focus, zoom=zoom)
    assert rows[-1] == f"2 contacts {way} of here"
    assert len(rows) == 12


def test_own_pieces_are_counted_as_such_and_memories_as_contacts() -> None:
    seen = view(own=(KITE,), contacts=(MEMORY,))
    rows = draw_map(seen, height=12, focus=Square(20, 12))
    assert counts(rows) == [(1, "N"), (1, "S")]
    assert "1 own piece S of here" in rows[-1]


def accounted(rows: list[str]) -> int:
    """Return how many pieces the rows draw, name beside one that is drawn, or count."""
    notes = [part for row in rows for part in row.split(", ")]
    shared = [found[1].split(" ") for part in notes if (found := STACKED.match(part))]
    drawn = len(DRAWN.findall("".join(rows)))
    return drawn + sum(len(names) - 1 for names in shared) + sum(n for n, _ in counts(rows))


SQUARES = st.builds(Square, st.integers(0, 79), st.integers(0, 79))


@given(
    squares=st.lists(SQUARES, max_size=12),
    focus=SQUARES,
    width=st.integers(40, 100),
    height=st.integers(10, 40),
)
def test_every_piece_is_on_the_map_or_named_or_counted(
    squares: list[Square], focus: Square, width: int, height: int
) -> None:
    rows = draw_map(scattered(*squares), width=width, height=height, focus=focus)
    assert accounted(rows) == len(squares)
    assert max(len(row) for row in rows) <= width


@given(squares=st.lists(SQUARES, max_size=12), focus=SQUARES, width=st.integers(40, 100))
def test_where_a_cell_is_a_box_so_it_is_too(
    squares: list[Square], focus: Square, width: int
) -> None:
    rows = draw_map(scattered(*squares), width=width, height=18, focus=focus, zoom=0)
    crowded = "".join(rows).count("+")
    assert accounted(rows) + crowded <= len(squares)
    assert crowded or accounted(rows) == len(squares)
    assert max(len(row) for row in rows) <= width
    assert len(rows) <= 18


def test_pieces_on_one_square_are_all_named() -> None:
    here = msgspec.structs.replace(CONTACT, square=KITE.square)
    rows = draw_map(view(own=(KITE,), contacts=(here, TRACK)), height=18)
    assert rows[-1] == f"S1 C5 on {KITE.square.x},{KITE.square.y}"


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene[0])
def test_in_whole_matches_nothing_is_out_of_sight_uncounted(scene: tuple[str, int, int]) -> None:
    for frames in frames_of(*scene).values():
        for post in frames:
            seen = view_in(post)
            fates = [own.fate for own in seen.own] + [contact.fate for contact in seen.contacts]
            rows = draw_map(seen, width=80, height=18)
            assert accounted(rows) == fates.count(Fate.IN_PLAY)


@given(seed=st.integers(0, 2**32), zoom=st.integers(0, 1), size=st.sampled_from(ScanSize))
def test_the_box_of_a_preview_is_in_view_wherever_one_looks(
    seed: int, zoom: int, size: ScanSize
) -> None:
    rng = Random(seed)
    alone = view(Phase.SCAN, own=(ship(square=Square(2, 2)),))
    # A contact could cover a corner.
    seen = msgspec.structs.replace(alone, board=BIG, contacts=())
    session = TurnSession(frame(1, seen), seen)
    paper, _ = screen()
    session.show_map(ShowMap(Square(rng.randrange(80), rng.randrange(80)), zoom), paper)
    box = Box(rng.randrange(1, 15), rng.randrange(1, 15))
    at = box.name if size in (ScanSize.BOX, ScanSize.BOXES) else box.centre
    rows = session.preview(Preview(Scan(ship=S1, type=ScanType.IR, size=size, at=at)), paper)
    text = "".join(rows)
    corners = "┼" if size is ScanSize.SQUARE else UNICODE.corners
    assert all(corner in text for corner in corners)


def test_the_map_is_as_before_only_when_it_is_the_one_that_was_drawn_last() -> None:
    seen = view()
    session = TurnSession(frame(1, seen), seen)
    paper, _ = screen()
    assert AS_BEFORE not in session.board_lines(paper)
    assert AS_BEFORE in session.board_lines(paper)
    session.show_map(ShowMap(Square(20, 20)), paper)
    assert AS_BEFORE in session.board_lines(paper)
    scan = Scan(ship=S1, type=ScanType.IR, size=ScanSize.BOX, at="D2")
    session.preview(Preview(scan), paper)
    assert AS_BEFORE not in session.board_lines(paper)


def test_a_map_on_which_something_moved_beyond_the_edge_is_not_as_before() -> None:
    first, then = scattered(Square(40, 78)), scattered(Square(41, 79))
    session = TurnSession(frame(1, first), first)
    paper, _ = screen()
    session.show_map(ShowMap(Square(40, 5)), paper)
    session.open(frame(2, then), then)
    assert AS_BEFORE not in session.board_lines(paper)


def test_the_map_is_the_last_of_what_a_window_shows() -> None:
    seen = view()
    session = TurnSession(frame(1, seen), seen)
    paper, _ = screen()
    rows = session.board_lines(paper)
    assert rows[-paper.map_height :] == draw_map(seen, width=80, height=paper.map_height)
