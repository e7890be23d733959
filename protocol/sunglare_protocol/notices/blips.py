"""The notices of spotting, data scans and probes."""

from typing import final

from sunglare_protocol.ids import Handle, OwnId, Side
from sunglare_protocol.notices.base import NoticeBase
from sunglare_protocol.words.dossiers import Dossier, Outcome

__all__ = [
    "ContactIdentified",
    "DataScanned",
    "OwnProbed",
    "ProbeSensed",
    "TruthIdentified",
    "TruthProbed",
]


@final
class ContactIdentified(NoticeBase, frozen=True, tag="identified"):
    """A held piece is identified: its side and type are known while the hold lasts."""

    handle: Handle
    label: str
    side: Side
    type: str


@final
class DataScanned(NoticeBase, frozen=True, tag="data_scan"):
    """The answer to an own request for data; only a full one comes with a dossier."""

    ship: OwnId
    at: Handle
    outcome: Outcome
    dossier: Dossier | None = None


@final
class ProbeSensed(NoticeBase, frozen=True, tag="probe_sensed"):
    """An own piece noticed that a probe is at work: the bearing, rounded down to 30 degrees.

    Degrees run clockwise from north; without any the probe is in the same square.
    """

    ship: OwnId
    bearing: int | None = None


@final
class OwnProbed(NoticeBase, frozen=True, tag="own_probed"):
    """A probe was trained on an own piece: the bearing it came from, down to 30 degrees."""

    ship: OwnId
    bearing: int | None = None


@final
class TruthIdentified(NoticeBase, frozen=True, tag="truth_identified"):
    """A side identified a piece, and in which ways."""

    side: Side
    owner: Side
    piece: OwnId
    methods: tuple[str, ...]


@final
class TruthProbed(NoticeBase, frozen=True, tag="truth_probed"):
    """A piece asked for the data of another: the answer, and whether a probe was used."""

    side: Side
    ship: OwnId
    owner: Side
    target: OwnId
    outcome: Outcome
    by_probe: bool
