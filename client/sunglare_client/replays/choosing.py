"""Chooses from a replay: the eyes and the turns."""

from sunglare_client.replays.recording import Recording
from sunglare_protocol.errors import SunglareError


class NoSuchError(SunglareError):
    """A replay does not have what was asked for; the text says what it has."""


def eyes_of(recording: Recording, wanted: str | None) -> str:
    """Return whose eyes are meant, without a wish the first; raise `NoSuchError` if not there."""
    if wanted is None:
        return recording.eyes[0]
    found = [eyes for eyes in recording.eyes if eyes.lower() == wanted.lower()]
    if not found:
        raise NoSuchError(
            f"There are no eyes {wanted!r} here; choose from {', '.join(recording.eyes)}."
        )
    return found[0]


def steps_of(recording: Recording, turns: range | None) -> range:
    """Return the steps of some turns, without any all; raise `NoSuchError` if there are none."""
    steps = recording.steps
    found = [at for at, step in enumerate(steps) if turns is None or step.turn in turns]
    if not found:
        first, last = steps[0].turn, steps[-1].turn
        raise NoSuchError(f"It has no such turn, only {first} to {last}.")
    return range(found[0], found[-1] + 1)
