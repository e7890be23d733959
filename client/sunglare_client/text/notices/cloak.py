"""What was heard and found of cloaked ships, in sentences."""

from typing import assert_never

from sunglare_client.text.places import place_text
from sunglare_protocol import notices


def noise(notice: notices.SweepSeen | notices.JamSet | notices.JamOver) -> str:
    """Return what everybody notices of sweeps and of jammed space, as a sentence."""
    match notice:
        case notices.SweepSeen():
            return f"a sweep gave its ship away at {place_text(notice.square)}"
        case notices.JamSet():
            return f"space is JAMMED: nobody hears cloaked ships up to turn {notice.until}"
        case notices.JamOver():
            return "space is jammed no longer"
        case _:
            assert_never(notice)


def hunted(notice: notices.ContactCloaked | notices.CloakedFound | notices.TrailCold) -> str:
    """Return how the hunt for a cloaked ship goes, as a sentence."""
    match notice:
        case notices.ContactCloaked():
            return f"{notice.label} has CLOAKED; only the memory is left"
        case notices.CloakedFound():
            at = place_text(notice.square)
            return f"{notice.fix.value.upper()} {notice.label}, a cloaked ship, at {at}"
        case notices.TrailCold():
            return f"the trail of {notice.label} is cold; only the memory is left"
        case _:
            assert_never(notice)


def hunt_of_truth(notice: notices.TruthCloak | notices.TruthHunt) -> str:
    """Return what only the truth feed is told of cloaks and of the hunt, as a sentence."""
    who = f"{notice.side}.{notice.ship}"
    if isinstance(notice, notices.TruthCloak):
        return f"{who} {'CLOAKS' if notice.on else 'uncloaks'}"
    found = ", ".join(f"{side}.{ship}" for side, ship in notice.found) or "nobody"
    does = "sweeps" if notice.sweep else "listens"
    dice = f" (dice {' '.join(map(str, notice.dice))})" if notice.dice else ""
    return f"{who} {does}: finds {found}{dice}"
