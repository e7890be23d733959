"""Steps of a server whose clock is told the time: a beat, and all that was due on it is done."""

from typing import Final

from builders.fakeclock import FakeClock
from builders.fakeserver import until
from builders.runners import runners_of
from sunglare_protocol.ids import MatchId
from sunglare_server.app import App
from sunglare_server.match.clock.presets import BEAT_MS
from sunglare_server.runtime.runner import Runner

START_MS: Final = 1_000_000
"""A time on the beat."""


async def next_beat(app: App, clock: FakeClock, match: MatchId) -> None:
    """Go on by one beat and return once the match has done what was due then."""
    clock.advance(BEAT_MS)
    await until(lambda: is_still(app, clock, match))


def is_still(app: App, clock: FakeClock, match: MatchId) -> bool:
    """Return whether nothing of the match is due: no window, no release."""
    runner = runners_of(app.lobby.matches).get(match)
    return runner is not None and not any(due <= clock.now_ms() for due in _dues(runner))


def _dues(runner: Runner) -> list[int]:
    release_ms = runner.clock.server_ms(runner.feeds.next_release_ms(runner.state))
    return [due_ms for due_ms in (runner.due_ms, release_ms) if due_ms is not None]


def waits_for_its_beat(runner: Runner, shown: str) -> bool:
    """Return whether the window shown has closed, and what comes of it is not out yet."""
    return runner.state.standing.window != shown
