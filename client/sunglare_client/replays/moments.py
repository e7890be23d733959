"""The key moments of a match: contacts, tracks, damage, losses, and where the match turned.

They are those of the timeline of the watch page, found in messages as they were read.
"""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple, final

from sunglare_client.replays.recording import Recording, Sent, Step
from sunglare_protocol.ids import OMNI

KINDS: Final = ("contact", "tracked", "damage", "destroyed", "turning point")
"""The kinds of moments, the weightiest last."""

_CONTACTS: Final = ("contact", "token", "fighter", "found")
_LOSSES: Final = ("destroyed", "own_destroyed", "own_killed")
_GONE_IN_PEACE: Final = re.compile(r"(landed|left|aboard)")


@final
class KeyMoment(NamedTuple):
    """A step before whose window something happened, and what."""

    at: int
    kinds: tuple[str, ...]


def moments_of(recording: Recording) -> tuple[KeyMoment, ...]:
    """Return the key moments of a match, in their order."""
    found: list[KeyMoment] = []
    leader: str | None = None
    seen: set[str] = set()
    for index, step in enumerate(recording.steps):
        notices = _notices(step)
        kinds = {kind for notice in notices if (kind := _kind(notice)) is not None}
        leads = _leader(step) or leader
        is_first = any(kind in kinds and kind not in seen for kind in ("contact", "destroyed"))
        has_turned = leader is not None and leads != leader
        if is_first or has_turned or any(notice.get("t") == "side_out" for notice in notices):
            kinds.add("turning point")
        leader = leads
        seen |= kinds
        if kinds:
            found.append(KeyMoment(index, tuple(kind for kind in KINDS if kind in kinds)))
    return tuple(found)


def next_moment(moments: Iterable[KeyMoment], index: int, direction: int) -> KeyMoment | None:
    """Return the next moment after a step, or with -1 the one before it; None without any."""
    beyond = [moment for moment in moments if (moment.at - index) * direction > 0]
    return (beyond[0] if direction > 0 else beyond[-1]) if beyond else None


def _notices(step: Step) -> list[Sent]:
    """Return the notices of the window before a step: from the truth where it is known."""
    truth = step.frames.get(str(OMNI))
    frames = [truth] if truth is not None else list(step.frames.values())
    lists = [notices for frame in frames if isinstance(notices := frame.get("notices"), list)]
    return [notice for notices in lists for notice in notices if isinstance(notice, dict)]


def _leader(step: Step) -> str | None:
    """Return the side that leads on points as the truth has them; None for a tie or unknown."""
    view = step.frames.get(str(OMNI), {}).get("view")
    points = view.get("points") if isinstance(view, dict) else None
    if not isinstance(points, dict):
        return None
    counted = {side: number for side, number in points.items() if isinstance(number, int)}
    most = max(counted.values(), default=0)
    leaders = [side for side, number in counted.items() if number == most and most > 0]
    return leaders[0] if len(leaders) == 1 else None


def _kind(notice: Sent) -> str | None:
    """Return which kind of moment a notice makes, if any."""
    match notice:
        case {"t": "truth_held", "fix": "tracked" | "solution"} | {"t": "track"}:
            return "tracked"
        case {"t": "truth_held", "fix": fix}:
            return "contact" if fix in ("contact", "detected") else None
        case {"t": "truth_token", "how": how}:
            return None if how == "lost" else "contact"
        case {"t": "truth_gone", "cause": str(cause)}:
            return None if _GONE_IN_PEACE.match(cause) else "destroyed"
        case {"t": t} if t in _CONTACTS:
            return "contact"
        case {"t": t} if t in _LOSSES:
            return "destroyed"
        case {"damage": damage} if _harms(damage):
            return "damage"
        case _:
            return None


def _harms(damage: object) -> bool:
    """Return whether the damage of a notice, to one piece or to several, is any."""
    amounts = damage if isinstance(damage, list) else [damage]
    return any(isinstance(amount, int) and amount > 0 for amount in amounts)
