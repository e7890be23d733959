"""Moments of a match for bots; run as a program, it writes those that come with the library.

PYTHONPATH=tests .venv/bin/python tests/builders/moments.py
"""

from functools import cache, lru_cache
from pathlib import Path
from typing import Final

import sunglare_client.authoring
from page.files import match_file
from sunglare_arena.moment import told_in
from sunglare_client.advice import Advice
from sunglare_client.authoring.moment import SAMPLES, Moment, packed_moment
from sunglare_client.authoring.picking import picked
from sunglare_client.bot import BotMatch
from sunglare_client.replays.recording import Recording, read_recording
from sunglare_protocol.ids import Side
from sunglare_protocol.words.ladder import Phase

NAME: Final = "shadow-of-ceres"
SIDE: Final = Side("A")

PHASES: Final = (Phase.PLOT, Phase.SCAN, Phase.DETECT, Phase.ENGAGE)


@lru_cache(maxsize=64)
def moment(turn: int, phase: Phase, *, past: bool = False, side: Side = SIDE) -> Moment:
    """Return a moment of the match, perhaps with all that the side was sent before."""
    frames = picked(_recording(), side, turn, phase)
    told = _told(side)
    return Moment(
        match=told.match,
        side=side,
        card=told.card,
        classes=told.classes,
        frames=frames if past else frames[-1:],
    )


@cache
def _recording() -> Recording:
    return read_recording(match_file(NAME))


@cache
def _told(side: Side) -> BotMatch:
    return told_in(match_file(NAME), side)


def samples() -> tuple[Moment, ...]:
    """Return the first window of the match, and each of the first turn in which one may fire."""
    turn = next(turn for turn in range(1, 20) if has_shots(turn))
    return (moment(1, Phase.PLOT), *(moment(turn, phase) for phase in PHASES))


def has_shots(turn: int) -> bool:
    """Return whether the side may fire at something in that turn."""
    return any(Advice(moment(turn, Phase.ENGAGE).view).shots())


if __name__ == "__main__":
    path = Path(sunglare_client.authoring.__file__).with_name(SAMPLES)
    path.write_bytes(packed_moment(samples()))
