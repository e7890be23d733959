"""The names by which an agent knows foreign pieces: labels in the place of the wire's handles."""

import re
from typing import final

from sunglare_protocol.views import ContactView, View
from sunglare_protocol.views.ground import TokenView

_WORD = re.compile(r"\w+")


@final
class Labels:
    """Every label that the views of a seat gave; it may be told of a piece when that is gone."""

    def __init__(self) -> None:
        """Know no piece yet."""
        self._named: dict[str, str] = {}

    def take(self, view: View) -> None:
        """Learn the labels of all that is held in a view."""
        for piece in held(view):
            if piece.handle is not None:
                self._named[piece.handle] = piece.label

    def in_words(self, line: str) -> str:
        """Return a line with labels where it names pieces by their handles."""
        return _WORD.sub(lambda word: self._named.get(word[0], word[0]), line)


def held(view: View) -> tuple[ContactView | TokenView, ...]:
    """Return every foreign piece held or remembered, in space and on the surface."""
    tokens = (token for surface in view.surfaces for token in surface.tokens)
    return (*view.contacts, *tokens)
