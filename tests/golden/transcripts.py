"""Golden transcripts: what each window told each side, the public and the truth feed.

Run this file to write them anew; `GOLDENS` lists the matches. Read what has changed before you
keep it: a line more for a side is something more that it learns.
"""

import sys
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))

from builders.botmatches import fought
from builders.played import Rig
from sunglare_client.text.story import notice_lines
from sunglare_protocol.ids import OMNI, PUBLIC, WindowId, audience_of

FOLDER = Path(__file__).parent
LINES_MOST = 400


class Golden(NamedTuple):
    """A match to be kept: its file, scenario, seed, the bots from side A on, and the turns.

    With `windows` only those are written down, such as "4.engage".
    """

    file: str
    scenario: str
    seed: int
    bots: tuple[str, ...]
    turns: int = 8
    windows: tuple[str, ...] = ()


GOLDENS = (
    Golden("shadow-of-ceres.txt", "shadow-of-ceres", 5, ("seeker", "lurker")),
    Golden("four-corners.txt", "four-corners", 2, ("seeker", "lurker", "hunter", "random"), 5),
    Golden("proving-ground.txt", "proving-ground", 5, ("random", "fleet"), 5),
    Golden("blip-parade.txt", "blip-parade", 5, ("random", "fleet"), 4),
    Golden("orlog.txt", "orlog", 1, ("raider", "raider"), 4),
    Golden("reference-board.txt", "reference-board", 1, ("seeker", "seeker"), 3),
    Golden(
        "redondo.txt",
        "redondo",
        2,
        ("admiral",) * 4,
        turns=5,
        windows=("1.plot", "5.plot", "5.detect", "5.engage"),
    ),
    Golden("picket-line.txt", "picket-line", 12, ("raider", "raider"), 9),
)


def transcript(golden: Golden) -> str:
    """Return what every audience was told, window after window."""
    lines: list[str] = []

    def watch(window: WindowId, match: Rig) -> None:
        if golden.windows and window not in golden.windows:
            return
        lines.append(f"== {window}")
        lines.extend(f"{' '.join(heard):<22}{line}" for line, heard in _said(match).items())

    match, _ = fought(
        golden.scenario, golden.seed, *golden.bots, watch=watch, turns_most=golden.turns
    )
    points = ", ".join(f"{side} {score}" for side, score in match.state.truth.points.items())
    ending = "the end" if match.state.is_over else "so far"
    return "\n".join((*lines, f"== {ending}: {points}", ""))


def _said(match: Rig) -> dict[str, list[str]]:
    """Return every line that was said in the window, with who was told it, once for each time."""
    said: dict[str, list[str]] = {}
    for audience in (*map(audience_of, match.sides), PUBLIC, OMNI):
        for notice in match.state.intel[audience].told:
            for line in notice_lines(notice, match.state.board)[:1]:
                said.setdefault(line, []).append(audience)
    return said


if __name__ == "__main__":
    for golden in GOLDENS:
        (FOLDER / golden.file).write_text(transcript(golden), encoding="utf-8")
