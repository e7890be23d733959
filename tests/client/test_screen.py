"""Where lines go and come from: files as they are, terminals with their width and their keys."""

import asyncio
import os

from builders.terminals import Paper
from sunglare_client.terminal.screen import CTRL_D, Screen, typed_lines


async def test_lines_are_read_from_a_pipe_to_its_end() -> None:
    reading, writing = os.pipe()
    os.write(writing, "one\r\ntwo ◆ three\n\nfour".encode())
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as stream:
        lines = [line async for line in typed_lines(stream)]
    assert lines == ["one", "two ◆ three", "", "four"]


def test_on_a_terminal_long_lines_break_between_words_and_in_a_file_they_stay_whole() -> None:
    class Glass(Paper):
        def isatty(self) -> bool:
            return True

    words = "  " + " ".join(f"word{number}" for number in range(30))
    paper, glass = Paper(), Glass()
    Screen(paper).show([words])
    Screen(glass).show([words, "", "short"])
    assert paper.getvalue() == f"{words}\n"
    rows = glass.getvalue().splitlines()
    assert max(map(len, rows)) <= 80
    assert " ".join(" ".join(rows[:-2]).split()) == words.strip()
    assert all(row.startswith("    word") for row in rows[1:-2])
    assert rows[-2:] == ["", "short"]


def test_a_stream_without_the_shapes_gets_ascii() -> None:
    class Old(Paper):
        encoding = "latin-1"

    paper = Old()
    shown = Screen(paper)
    shown.show(["◆ C3"])
    assert shown.ascii_only
    assert paper.getvalue() == "? C3\n"


async def test_a_terminal_is_read_on_after_its_input_was_ended() -> None:
    master, slave = os.openpty()
    with os.fdopen(slave, encoding="utf-8") as stream:
        lines = aiter(typed_lines(stream))
        async with asyncio.timeout(10):
            for typed_in, expected in (
                (b"one\n", ["one"]),
                (b"\x04", [CTRL_D]),
                (b"two\n", ["two"]),
                (b"\x04\x04\x04", [CTRL_D] * 3),
            ):
                os.write(master, typed_in)
                assert [await anext(lines) for _ in expected] == expected
            assert [line async for line in lines] == []
    os.close(master)
