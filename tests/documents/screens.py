"""Writes the pictures of the full screen anew: `python tests/documents/screens.py`."""

import asyncio
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from builders.screens import PICTURES, SCREENS, file_name, picture_of


async def write() -> None:
    """Write every picture."""
    SCREENS.mkdir(exist_ok=True)
    for old in SCREENS.glob("*.svg"):
        old.unlink()
    for name, size, mono in PICTURES:
        file = SCREENS / file_name(name, size, mono)
        file.write_text(await picture_of(name, size, mono), encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(write())
