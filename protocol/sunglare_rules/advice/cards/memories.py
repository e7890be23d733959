"""Why a memory is known: since when, what it was, and why it is no more than a memory.

Source: the ladder of knowledge, turn §3; what ends a hold, sensors §5, cloak §1 and §3, turn §5.
"""

from sunglare_protocol.views import ContactView
from sunglare_protocol.words.ladder import Fate

_LADDER = "The ladder of knowledge (turn §3)."


def memory_reasons(contact: ContactView) -> tuple[str, ...]:
    """Return what a memory marker was, since when nothing newer is known of it, and why."""
    return (*_was(contact), _is_over(contact), *_identity(contact))


def _was(contact: ContactView) -> tuple[str, ...]:
    """Return what it was when it was last seen, as far as the marker shows."""
    since = f"Nothing newer is known than of turn {contact.turn}"
    if contact.trackers is not None:
        return (f"{since}: a cloaked ship, found last then. Cloak detection (cloak §3).",)
    if contact.vector is not None:
        return (f"{since}: it was held then, place and motion. {_LADDER}",)
    if contact.signatures:
        return (f"{since}: it was a contact then, a snapshot. {_LADDER}",)
    return (f"{since}: its own fire showed its square then. What a shot tells (turn §6).",)


def _is_over(contact: ContactView) -> str:
    """Return why it is no more than a memory."""
    if contact.fate is Fate.DESTROYED:
        return f"It is destroyed: nothing of it is left to hold. {_LADDER}"
    if contact.fate is Fate.ESCAPED:
        return f"It has left the map. {_LADDER}"
    if contact.landed is not None:
        return "It has landed: whoever lands is no track any more. Landing (turn §5)."
    if contact.trackers is not None:
        return (
            "A find holds for its turn alone; while the trackers hold anything, the memory keeps "
            "its handle. Cloak detection, count and turns (cloak §3)."
        )
    if contact.vector is not None:
        return (
            "The hold is over: scans missed it in two turns, it cloaked, or the trackers on it "
            "ran empty. Intercept sensors, tracking (sensors §5), and cloaks (cloak §1)."
        )
    if contact.signatures:
        return f"A contact ends with its turn and leaves a memory. {_LADDER}"
    return f"A shot is no hold: it leaves a square to remember. {_LADDER}"


def _identity(contact: ContactView) -> tuple[str, ...]:
    if contact.side is None:
        return ()
    return (
        (
            "What it is was known then; the next hold of it begins as a blip. Alpha Strike, blips "
            "(turn §3 and blips §3)."
        ),
    )
