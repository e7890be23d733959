"""Writes the positions of the lessons again, and the orders that their lines give.

`python tests/documents/lessonfiles.py` does it.
"""

import sys
import tomllib
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from builders.lessons import LESSONS, PLOTS, frames_of, orders_file, position_file
from sunglare_protocol.lessons.lesson import Lesson
from sunglare_protocol.views import View

if __name__ == "__main__":
    for name, plot in PLOTS.items():
        (LESSONS / f"{name}.json").write_bytes(position_file(plot))
        lesson = msgspec.convert(tomllib.loads((LESSONS / f"{name}.toml").read_text()), Lesson)
        view = frames_of(plot)[0].view
        assert isinstance(view, View)
        orders = orders_file(view, (*lesson.accepted, *lesson.wrong))
        (LESSONS / f"{name}.orders.json").write_bytes(orders)
