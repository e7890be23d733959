"""Types that a blip may be: those that fit its size and how hard it was seen to thrust.

Sides are alike as a rule, so the own classes stand for those of the others.
"""

from collections.abc import Iterable
from math import fsum
from typing import NamedTuple

from sunglare_client.bots.movement.measures import burned, drifted_on
from sunglare_protocol.geometry import Square, Vector
from sunglare_protocol.messages import ClassCard
from sunglare_protocol.views import ContactView, View
from sunglare_protocol.words.ladder import Fix, Phase


class Guise(NamedTuple):
    """A class as others see it: its type, size and thrust, its hull, and what it scores."""

    family: str
    size: str
    thrust: int
    hull: int
    worth: float


class Guises:
    """Keeps how hard each track has thrust, and says which guises are left for it."""

    def __init__(self, classes: Iterable[ClassCard] = (), chaff: float = 0.0) -> None:
        """Take the own classes; one that scores nothing is worth `chaff`."""
        self._guises = tuple(
            Guise(
                card.family or card.name, card.size, card.thrust, card.hull, card.points or chaff
            )
            for card in classes
        )
        self._last: dict[str, tuple[Square, Vector]] = {}
        self._thrust: dict[str, int] = {}

    def see(self, view: View) -> None:
        """Take in how the live tracks have moved; the scan slots of one turn count once."""
        if view.stage.phase is Phase.PLOT:
            self._last = {
                contact.label: (contact.square, contact.vector)
                for contact in view.contacts
                if contact.fix is Fix.TRACKED and contact.vector is not None
            }
            return
        for contact in view.contacts:
            before = self._last.get(contact.label)
            if (
                before is not None
                and contact.fix is Fix.TRACKED
                and contact.turn == view.stage.turn
            ):
                spent = burned(drifted_on(view.board, *before)[0], contact.square)
                self._thrust[contact.label] = max(spent, self._thrust.get(contact.label, 0))

    def fitting(self, contact: ContactView) -> tuple[Guise, ...]:
        """Return the guises that a contact may have, by its type or by what is seen of a track."""
        if contact.type is not None:
            return tuple(guise for guise in self._guises if guise.family == contact.type)
        if contact.size is None:
            return ()
        least = self._thrust.get(contact.label, 0)
        return tuple(
            guise
            for guise in self._guises
            if guise.size == contact.size.value and guise.thrust >= least
        )

    def worth(self, contact: ContactView, otherwise: float) -> float:
        """Return what a contact scores on average over its guises; without any, `otherwise`."""
        fitting = self.fitting(contact)
        return fsum([guise.worth for guise in fitting]) / len(fitting) if fitting else otherwise

    def hull(self, contact: ContactView, otherwise: float) -> float:
        """Return how many hull boxes a contact has if it is the toughest it can be."""
        return max((float(guise.hull) for guise in self.fitting(contact)), default=otherwise)
