"""Trackers of a hunt in words, for the cards on the hunted ship and on the own one.

Source: Full Thrust cloak detection of 2001, fire control solution; cloak hunting of our rule
book §3.
"""

from sunglare_protocol.views import TrackersView, TrackerView
from sunglare_protocol.words.cloak import TrackerMode
from sunglare_rules.cloak.trackers import MULTI, SINGLE, TrackerRule


def tracker_lines(trackers: TrackersView) -> tuple[str, ...]:
    """Return both trackers, each with what it still needs by the mode in force, a line each."""
    return (
        _line("several ships", MULTI, trackers.multi, trackers.mode),
        _line("one ship", SINGLE, trackers.single, trackers.mode),
    )


def pips(tracker: TrackerView) -> str:
    """Return the remembered turns, the oldest first: `D` for a hit, `-` for a miss."""
    return "".join("D" if hit else "-" for hit in tracker.hits) or "none"


def _line(name: str, rule: TrackerRule, tracker: TrackerView, mode: TrackerMode) -> str:
    by_window = mode is TrackerMode.WINDOW
    has = sum(tracker.hits) if by_window else tracker.count
    what = f"of the last {rule.span} turns" if by_window else "on the COUNT die"
    return (
        f"Heard by {name}: {has} {what}, {rule.needed} are needed; turns {pips(tracker)}, "
        f"COUNT {tracker.count}, TURNS {tracker.turns}."
    )
