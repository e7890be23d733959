"""Plays a passage on the map, beat by beat, while everything else goes on.

It holds nothing up: input is taken and clocks run meanwhile, and `end` cuts it short.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from itertools import accumulate
from typing import Protocol, final

from sunglare_client.fullscreen.pointing.pointing import Pointer
from sunglare_client.fullscreen.scene import MapLook, Scene
from sunglare_client.map.passage import BEAT_S, BEATS_MOST, Passage, PassageStep
from sunglare_protocol.views import TruthView, View


class Timer(Protocol):
    """A call that waits for its time."""

    def cancel(self) -> None:
        """Let the call not be made."""
        ...


Later = Callable[[float, Callable[[], None]], Timer]
"""Makes a call in so many seconds."""


def in_loop(seconds: float, call: Callable[[], None]) -> Timer:
    """Make a call by the running loop, whichever task asks for it."""
    return asyncio.get_running_loop().call_later(seconds, call)


@final
class Showing:
    """The passage that is played; `draw` is called whenever another step is to be drawn."""

    def __init__(self, later: Later, draw: Callable[[], None]) -> None:
        """Play nothing yet."""
        self._later = later
        self._draw = draw
        self._steps: deque[PassageStep] = deque()
        self._known: Passage | None = None
        self._timers: list[Timer] = []

    @property
    def is_on(self) -> bool:
        """Return whether a passage is played."""
        return bool(self._steps)

    def follow(self, passage: Passage | None) -> None:
        """Play a passage, once; one that is still played goes on first, cut to the same length.

        None plays nothing, and ends what is played.
        """
        if passage is self._known:
            return
        self._known = passage
        if passage is None:
            self._stop()
            return
        self._steps.extend(passage)
        while sum(step.beats for step in self._steps) > BEATS_MOST:
            self._steps.popleft()
        if passage:
            self._start()

    def end(self) -> None:
        """Play no more of it."""
        if self.is_on:
            self._stop()
            self._draw()

    def shown(
        self, scene: Scene, pointer: Pointer | None
    ) -> tuple[View | TruthView | None, MapLook]:
        """Return the view and the look of a map: those of the step played, else of the scene."""
        look = scene.look(pointer)
        if not self._steps:
            return scene.view(), look
        step = self._steps[0]
        return step.view, look._replace(over=(*look.over, *step.over))

    def _start(self) -> None:
        """Have all steps end at their times from now on, so that no delay adds up."""
        self._cancel()
        ends = accumulate(step.beats for step in self._steps)
        self._timers = [self._later(BEAT_S * end, self._go_on) for end in ends]

    def _go_on(self) -> None:
        self._steps.popleft()
        self._draw()

    def _stop(self) -> None:
        self._steps.clear()
        self._cancel()

    def _cancel(self) -> None:
        for timer in self._timers:
            timer.cancel()
        self._timers = []
