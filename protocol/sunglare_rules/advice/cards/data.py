"""Why a data scan was answered as it was, as far as the asker may know, with its reaches.

Source: Alpha Strike, "Concealing Unit Data"; blips of our rule book §3.7. From the answer and the
view of the same side, which both were sent to it; a jammer and stealth must read alike.
"""

from sunglare_protocol.notices.blips import DataScanned
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.views.ground import GroundView
from sunglare_protocol.words.dossiers import Outcome
from sunglare_protocol.words.specials import Specials
from sunglare_rules.blips.dossiers import SCAN_INCHES, SHORT_INCHES
from sunglare_rules.blips.spotting import best_probe

_WHY = {
    Outcome.NOT_REQUESTED: "Nothing was asked.",
    Outcome.ILLEGAL: "It takes an asker that works, and an identified piece held live.",
    Outcome.OUT_OF_REACH: "It was too far off, or out of sight and beyond what the probe reaches.",
    Outcome.INCONCLUSIVE: "Stealth or a jammer kept the data back; no side learns which.",
    Outcome.FULL: "Nothing kept the data back.",
}


def data_line(view: View, notice: DataScanned) -> str:
    """Return what an answer means, and how far its asker scans, silently and by its probe."""
    units: tuple[OwnView | GroundView, ...] = (*view.own, *view.ground)
    abilities = [unit.specials for unit in units if unit.id == notice.ship]
    reach = f"Short range is {SHORT_INCHES} inches in sight{_probe_words(abilities)}."
    return f"{_WHY[notice.outcome]} {reach} Alpha Strike, concealing unit data (blips §3)."


def _probe_words(abilities: list[Specials]) -> str:
    if not abilities:
        return ""
    probe = best_probe(abilities[0], SCAN_INCHES)
    if probe is None:
        return ", and it has no probe"
    return f", its {probe.value} probe reaches {SCAN_INCHES[probe]}"
