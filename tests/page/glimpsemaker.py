"""The short match on the home of the page, made from one of two bots: run this file to make it.

It has the truth of each window in which something moves, fires or scans, without any word on it.
"""

import json
import sys
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).parents[1]))

from page.files import PAGE, match_replay

SCENARIO: Final = "shadow-of-ceres"

FILE: Final = PAGE / "glimpse.js"

HEAD: Final = (
    "// A short match of two bots for the home of the page: the truth, window by window.\n"
    "// Made by tests/page/glimpsemaker.py, which says what the lists are.\n\n"
    "export default "
)

KEPT: Final = {
    "scan": ("side", "type", "size", "at"),
    "truth_shot": ("side", "ship", "owner", "target", "damage"),
    "radar": ("square",),
    "shot": ("square",),
}
"""The notices that a board shows, and what of each it needs."""


def step_of(frame: dict[str, Any]) -> dict[str, Any]:
    """Return a frame as a step: its turn and phase, its pieces in play, and what happened.

    A piece is its side, id, square, facing, vector, and by how well the other side has it.
    """
    view = frame["view"]
    pieces = [
        [
            piece["side"],
            piece["id"],
            *piece["square"],
            piece["facing"],
            *piece["vector"],
            piece.get("held", [{}])[0].get("fix", ""),
        ]
        for piece in view["pieces"]
        if piece.get("fate", "in_play") == "in_play"
    ]
    events = [
        [notice["t"], *(notice.get(field) for field in KEPT[notice["t"]])]
        for notice in frame.get("notices", ())
        if notice["t"] in KEPT
    ]
    return {
        "at": [view["stage"]["turn"], view["stage"]["phase"]],
        "pieces": pieces,
        "events": events,
    }


def glimpse() -> dict[str, Any]:
    """Return the whole replay: the board, and each step that differs from the one before."""
    frames = [
        message.sent
        for message in match_replay(SCENARIO).layers.messages
        if message.layer == "omni" and message.sent["t"] == "frame"
    ]
    board = dict(frames[0]["view"]["board"])
    for planet in board.get("planets", ()):
        planet.pop("environs", None)
    steps: list[dict[str, Any]] = []
    for step in map(step_of, frames):
        if not steps or step["events"] or step["pieces"] != steps[-1]["pieces"]:
            steps.append(step)
    return {"sides": ["A", "B"], "board": board, "steps": steps}


def main() -> None:
    """Write the file."""
    made = glimpse()
    steps = ",\n".join(
        f"    {json.dumps(step, separators=(',', ':'))}" for step in made.pop("steps")
    )
    head = json.dumps(made, separators=(",", ":"))[:-1]
    FILE.write_text(f'{HEAD}{head},"steps":[\n{steps}\n]}};\n', encoding="utf-8")


if __name__ == "__main__":
    main()
