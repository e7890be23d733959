"""The events of a window of a finished match, each with the truth as it was before it.

Source: none of its own; `apply` makes one truth of another.
"""

from collections.abc import Iterable

from sunglare_server.match.apply.space import apply
from sunglare_server.match.events.space import Event
from sunglare_server.match.truth.truth import Truth

Moments = tuple[tuple[Truth, Event], ...]
"""Events in their order, each after the truth before it."""


def moments_of(truth: Truth, events: Iterable[Event]) -> Moments:
    """Return the events with the truth before each; `truth` is the one before them all."""
    found = []
    for event in events:
        found.append((truth, event))
        truth = apply(truth, event)
    return tuple(found)
