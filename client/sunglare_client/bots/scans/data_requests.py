"""Requests for data: none that has brought nothing is repeated.

As long as asker and target stand where they stood, the ground and the distance between them are
the same.
"""

from collections.abc import Iterator

from sunglare_client.advice import Advice
from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import Handle, OwnId
from sunglare_protocol.notices import Notice
from sunglare_protocol.notices.blips import DataScanned
from sunglare_protocol.orders import Probe
from sunglare_protocol.surface import Cell, Site
from sunglare_protocol.views import View
from sunglare_protocol.words.dossiers import Outcome
from sunglare_rules.advice.check.ground import stands

Place = Square | tuple[Site, Cell]
"""Where a piece stands: on a square of space, or on a cell of a surface map."""


class Requests:
    """Keeps from which two places a request for data has brought nothing."""

    def __init__(self) -> None:
        self._offered: dict[tuple[OwnId, Handle], tuple[Place, Place]] = {}
        self._vain: dict[tuple[Place, Place], None] = {}

    def worth_making(self, advice: Advice) -> Iterator[Probe]:
        """Yield the legal requests of which none was in vain from the same two places."""
        places = dict(_places(advice.view))
        for request in advice.probes():
            two = places[request.ship], places[request.at]
            if two not in self._vain:
                self._offered[request.ship, request.at] = two
                yield request

    def heard(self, notice: Notice) -> None:
        """Take in the answer to a request."""
        if not isinstance(notice, DataScanned) or notice.outcome is Outcome.FULL:
            return
        two = self._offered.get((notice.ship, notice.at))
        if two is not None:
            self._vain[two] = None


def _places(view: View) -> Iterator[tuple[str, Place]]:
    """Yield where everything stands that may ask, or be asked about, by its id or handle."""
    yield from ((ship.id, stands(view, ship) or ship.square) for ship in view.own)
    for unit in view.ground:
        if unit.site is not None and unit.cell is not None:
            yield unit.id, (unit.site, unit.cell)
    yield from ((contact.handle or "", contact.square) for contact in view.contacts)
    for surface in view.surfaces:
        yield from ((token.handle or "", (surface.site, token.cell)) for token in surface.tokens)
