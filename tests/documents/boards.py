"""Writes the boards of the full screen as text: `python tests/documents/boards.py`."""

import asyncio
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from builders.boards import BOARDS, NAMES, text_of


async def write() -> None:
    """Write every board."""
    BOARDS.mkdir(exist_ok=True)
    for name in NAMES:
        (BOARDS / f"{name}.txt").write_text(await text_of(name), encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(write())
