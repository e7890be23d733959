"""Why a side learned something: the card on a notice, with its rule and its arithmetic.

Source: none of its own. From the notice and the side's own view alone; both were sent to it.
"""

from sunglare_protocol.messages.answers import Card
from sunglare_protocol.notices import Notice, PublicNotice
from sunglare_protocol.notices.blips import DataScanned
from sunglare_protocol.views import View
from sunglare_protocol.word import spoken
from sunglare_rules.advice.cards.data import data_line
from sunglare_rules.advice.cards.record import public_reason
from sunglare_rules.advice.cards.rolls import roll_lines
from sunglare_rules.advice.cards.told_rules import TOLD_BY


def why_told(view: View, notice: Notice) -> Card:
    """Return the rule behind a notice, and its dice and signals as far as known.

    `view` is that of the frame which brought the notice, or a later one of the same side.
    """
    if isinstance(notice, PublicNotice):
        return Card(title=title_of(notice), lines=(public_reason(view.board, notice),))
    if isinstance(notice, DataScanned):
        return Card(title=title_of(notice), lines=(data_line(view, notice), TOLD_BY[DataScanned]))
    rule = TOLD_BY.get(type(notice), "The truth feed alone is told so. Match options (turn §10).")
    return Card(title=title_of(notice), lines=(*roll_lines(view, notice), rule))


def title_of(notice: Notice) -> str:
    """Return the kind of a notice and the own piece or label that it is about."""
    kind = spoken(str(type(notice).__struct_config__.tag))
    about = getattr(notice, "ship", None) or getattr(notice, "label", None)
    weapon = getattr(notice, "weapon", None)
    if about is None:
        return kind
    named = f"{about}.{weapon}" if isinstance(weapon, str) else about
    return f"{kind} {named}"
