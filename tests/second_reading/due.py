"""The second reading of the whole ledger, held against what the steps of a match have granted."""

from collections import Counter
from collections.abc import Iterable, Iterator

from second_reading.dueground import AGENTS, GROUND
from second_reading.dueparts import Readings, Scene, differences, told_by
from second_reading.duespace import SPACE
from sunglare_server.match.apply.space import apply
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.events.space import Event
from sunglare_server.match.facts.space import Grant
from sunglare_server.match.learn import learns
from sunglare_server.match.truth.truth import Truth

READINGS: Readings = {**SPACE, **GROUND, **AGENTS}
"""Whom each event is due to tell what."""

READ: Counter[tuple[str, str]] = Counter()
"""How often each reading was held against a grant in this process, by event and what was told."""


class MisgrantedError(AssertionError):
    """Somebody was told what is not due, or not told what is."""


def misgranted(truth: Truth, events: Iterable[Event], options: MatchOptions) -> list[str]:
    """Return who was told what is not due, or not told what is, of the events of a step."""
    scenes = _scenes(truth, tuple(events), options)
    return [fault for scene, told in scenes for fault in _read(scene, told)]


def _read(scene: Scene, grants: tuple[Grant, ...]) -> list[str]:
    name = type(scene.event).__name__
    told = [(told_by(grant.fact), grant.audience) for grant in grants]
    READ.update([(name, what) for what, _ in told])
    return differences(READINGS, scene, told)


def _scenes(
    truth: Truth, events: tuple[Event, ...], options: MatchOptions
) -> Iterator[tuple[Scene, tuple[Grant, ...]]]:
    for event in events:
        after = apply(truth, event)
        granted = tuple(learns.learns(event, truth, after, options))
        yield Scene(event, truth, after, options, events), granted
        truth = after
