"""Whatever a person reads names foreign pieces by their labels, never by random handles."""

import asyncio

import pytest

from builders.desks import SCENES, frames_of, view_in
from builders.tables import PostedTable
from builders.terminals import over, screen, typed, view, with_ground
from sunglare_client.bot import is_asked
from sunglare_client.link.connection import Post
from sunglare_client.terminal.plain import Terminal
from sunglare_client.text.labels import Labels, held
from sunglare_protocol.ids import Side
from sunglare_protocol.messages import Frame

QUESTIONS = ("contacts", "ships", "map", "legal", "orders", "why told", "why rolls", "why last")
"""What is asked in every window, besides what each contact is."""

WRONG = ("fire S1.B1 nothing", "probe S1 C1", "fire S2 B1 C1", "probe G1 C1", "scan S1")
"""Lines that are refused in most windows, each with the choices that there are."""


async def read(frames: tuple[Frame, ...], lines: list[str]) -> str:
    """Return what is shown of a seat whose player types the same lines in each window."""
    shown, paper = screen()
    posts: tuple[Post, ...] = (*frames, over(frames[-1].seq + 1))
    asked = [
        frame.window for frame in frames if is_asked(view_in(frame), Side(view_in(frame).audience))
    ]
    script = [line for _ in asked for line in (*lines, "ready")]
    table = PostedTable(posts, awaits=tuple(asked))
    async with asyncio.timeout(50):
        await Terminal(table, typed(*script), shown, script=True).run()
    return paper.getvalue()


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene[0])
async def test_no_handle_of_a_whole_match_is_ever_shown(scene: tuple[str, int, int]) -> None:
    for frames in frames_of(*scene).values():
        pieces = [piece for frame in frames for piece in held(view_in(frame))]
        handles = {piece.handle for piece in pieces if piece.handle is not None}
        labels = {piece.label for piece in pieces}
        assert handles
        cards = [f"{word} {label}" for label in sorted(labels)[:4] for word in ("look", "why")]
        cards += [f"look {handle}" for handle in sorted(handles)[:2]]
        lines = [*QUESTIONS, *WRONG, *cards]
        # What is typed is shown again as it was typed.
        told = (await read(frames, lines)).splitlines()
        assert "> why rolls" in told
        text = [line for line in told if line[:1] != ">"]
        found = {handle: line for handle in handles for line in text if handle in line}
        assert not found


def test_a_label_outlives_the_hold_that_gave_it() -> None:
    labels = Labels()
    labels.take(with_ground(view()))
    labels.take(view(contacts=()))
    assert labels.in_words("S1.B1 at kq7xab hits; tt4tt4.") == "S1.B1 at C3 hits; C6."
    assert labels.in_words("xkq7xab kq7xa") == "xkq7xab kq7xa"
