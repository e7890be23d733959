"""What was learned of blips, and who noticed the probes, in sentences."""

from sunglare_protocol import notices
from sunglare_protocol.words.dossiers import Dossier, Outcome

Learned = notices.ContactIdentified | notices.DataScanned
"""What is learned of foreign pieces besides their places."""

Probed = notices.OwnProbed | notices.ProbeSensed
"""What own ships notice of probes."""


def probed(notice: Probed) -> str:
    """Return what an own ship notices of a probe."""
    if isinstance(notice, notices.OwnProbed):
        return f"your {notice.ship} is PROBED from {bearing_text(notice.bearing)}"
    return f"your {notice.ship} notices a probe at work, {bearing_text(notice.bearing)}"


def learned(notice: Learned) -> str:
    """Return what is learned of a foreign piece."""
    if isinstance(notice, notices.ContactIdentified):
        return f"IDENTIFIED {notice.label}: side {notice.side}, {notice.type}"
    found = notice.dossier
    if found is None:
        return f"{notice.ship} asks about {notice.at}: {OUTCOMES[notice.outcome]}"
    ecm = "" if found.ecm is None else f", jammer {'on' if found.ecm else 'off'}"
    state = f"damage {found.damage}, heat {found.heat}, move {found.move}{ecm}"
    return f"{notice.ship} SCANNED {notice.at}: {found.variant}, {state}"


def dossier_text(found: Dossier) -> str:
    """Return in a few words what a data scan has told of a piece, and in which turn."""
    ecm = "" if found.ecm is None else f" ecm {'on' if found.ecm else 'off'}"
    state = f"damage {found.damage} heat {found.heat} move {found.move}{ecm}"
    return f"[{found.variant} {state}, turn {found.turn}]"


OUTCOMES = {
    Outcome.NOT_REQUESTED: "nothing was asked",
    Outcome.ILLEGAL: "the request cannot be made",
    Outcome.OUT_OF_REACH: "it is out of reach",
    Outcome.INCONCLUSIVE: "the sweep cannot make out any details",
    Outcome.FULL: "all is told",
}


def truth_probed(notice: notices.TruthProbed) -> str:
    """Return a request for data as it was."""
    pair = f"{notice.side}.{notice.ship} asks about {notice.owner}.{notice.target}"
    by = " by probe" if notice.by_probe else ""
    return f"{pair}{by}: {OUTCOMES[notice.outcome]}"


def bearing_text(bearing: int | None) -> str:
    """Return a bearing that was rounded down to 30 degrees."""
    return "its own square" if bearing is None else f"bearing {bearing:03} to {bearing + 30:03}"
