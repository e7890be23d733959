"""Writes the positions of the lessons anew: `python tests/documents/lessonfiles.py`."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from builders.lessons import LESSONS, PLOTS, position_file

if __name__ == "__main__":
    for name, plot in PLOTS.items():
        (LESSONS / f"{name}.json").write_bytes(position_file(plot))
