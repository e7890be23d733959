"""The names of pieces as a player knows them: labels of foreign ones, not handles; own ids."""

import re
from typing import final

from sunglare_protocol.ids import Handle, OwnId
from sunglare_protocol.views import ContactView, View
from sunglare_protocol.views.ground import TokenView
from sunglare_protocol.words.ladder import Fate

_WORD = re.compile(r"\w+")


@final
class Labels:
    """Every label that the views of a seat gave, also of pieces that are gone."""

    def __init__(self) -> None:
        """Know no piece yet."""
        self._named: dict[str, str] = {}

    def take(self, view: View) -> None:
        """Learn the labels of all that is held in a view."""
        for piece in held(view):
            if piece.handle is not None:
                self.name(piece.handle, piece.label)

    def name(self, handle: str, label: str) -> None:
        """Learn the label of one piece."""
        self._named[handle] = label

    def in_words(self, line: str) -> str:
        """Return a line with labels where it names pieces by their handles."""
        return _WORD.sub(lambda word: self._named.get(word[0], word[0]), line)


def held(view: View) -> tuple[ContactView | TokenView, ...]:
    """Return every foreign piece held or remembered, in space and on the surface."""
    tokens = (token for surface in view.surfaces for token in surface.tokens)
    return (*view.contacts, *tokens)


def own_ids(view: View) -> tuple[OwnId, ...]:
    """Return the ids of the own pieces in play: ships, then ground units, then agents."""
    ships = (ship.id for ship in view.own if ship.fate is Fate.IN_PLAY)
    units = (unit.id for unit in view.ground if unit.fate is Fate.IN_PLAY)
    agents = (agent.id for agent in view.agents if agent.fate is Fate.IN_PLAY)
    return (*ships, *units, *agents)


def body_names(view: View) -> tuple[str, ...]:
    """Return the names of the planets of the map, then of its asteroids."""
    planets = (planet.name for planet in view.board.planets)
    return (*planets, *(asteroid.name for asteroid in view.board.asteroids))


def label_of(view: View, handle: str) -> str:
    """Return the label of a foreign piece, or its handle where the view has none."""
    labels = {contact.handle: contact.label for contact in held(view)}
    return labels.get(Handle(handle), handle)


def spelled(view: View, about: str) -> str:
    """Return a name as the view spells it, whatever case it was typed in."""
    names: list[str] = [ship.id for ship in view.own]
    names += [unit.id for unit in view.ground]
    names += [agent.id for agent in view.agents]
    names += [contact.label for contact in held(view)]
    names += [contact.handle for contact in held(view) if contact.handle is not None]
    names += body_names(view)
    return next((name for name in names if name.lower() == about.lower()), about)
