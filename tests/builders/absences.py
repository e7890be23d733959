"""A match on a clock that the test moves: windows and ticks come when they are due."""

from typing import Any

from builders.matches import TWO, Course
from builders.matches import options as match_options
from sunglare_protocol.ids import Audience, Side
from sunglare_protocol.messages import Frame, News, NewsKind
from sunglare_server.match.data.scenario import Scenario
from sunglare_server.match.pace.absence import next_tick
from sunglare_server.match.record import Kind, LineChanged


def course_of(clock: str, scenario: Scenario = TWO, **options: Any) -> Course:
    """Return a match with sealed SCAN slots under a clock, as far as its opening frame."""
    wish = {"scan_slots": "sealed", "clock": clock, **options}
    course = Course(scenario, match_options(**wish))
    course.now = course.state.opened_ms
    return course


def go(course: Course, ms: int) -> None:
    """Let `ms` go by: close windows and take the ticks of the clock when they are due."""
    until_ms = course.now + ms
    while not course.state.is_over:
        due_ms, tick = course.state.due_ms, next_tick(course.state)
        times = [
            time_ms
            for time_ms in (due_ms, None if tick is None else tick[0])
            if time_ms is not None
        ]
        if not times or min(times) > until_ms:
            break
        course.now = max(course.now, min(times))
        if tick is not None and tick[0] <= course.now:
            course.put(tick[1], kind=Kind.TICK)
        else:
            course.close()
    course.now = max(course.now, until_ms)


def window_of(course: Course, *here: Side) -> None:
    """Let the sides `here` lock the open window at once, and wait until it has closed."""
    window = course.state.standing.window
    course.now = max(course.now, course.state.opened_ms)
    for side in here:
        course.orders(side)
    while course.state.standing.window == window and (due_ms := course.state.due_ms) is not None:
        tick = next_tick(course.state)
        next_ms = due_ms if tick is None else min(due_ms, tick[0])
        go(course, max(0, next_ms - course.now))


def line(course: Course, side: Side, *, up: bool, deliberate: bool = False) -> None:
    """Let the line of a seat come or go."""
    course.put(LineChanged(side=side, up=up, deliberate=deliberate), kind=Kind.TICK)


def heard(course: Course, audience: str, *kinds: NewsKind) -> list[tuple[str | None, str]]:
    """Return the news that an audience was sent, of these kinds or of all."""
    return [
        (post.side, post.text)
        for post in course.sent[Audience(audience)]
        if isinstance(post, News) and (not kinds or post.kind in kinds)
    ]


def newest(course: Course, audience: str) -> Frame:
    """Return the last frame that an audience was sent."""
    frames = [post for post in course.sent[Audience(audience)] if isinstance(post, Frame)]
    return frames[-1]
