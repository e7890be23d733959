"""What an audience of a match may have been told so far, read off what it has learned.

A word that names something foreign counts as granted once it stands in the audience's intel, and
it may stand there in few places alone: that a family is learned does not let a variant out.
"""

import re
from collections.abc import Iterator
from typing import Final, final

import msgspec

from canary.words import PATTERN, Word, Words
from sunglare_protocol.ids import OMNI, Audience
from sunglare_server.match.state import MatchState

MAY_STAND: Final[dict[str, tuple[str, ...]]] = {
    "ship": ("Objective.piece",),
    "unit": ("Objective.piece",),
    "agent": (
        "FoundAgent.name",
        "SpiedTroops.leaders",
        "StrikeResult.fallen",
        "StrikeResult.escaped",
        "OwnStruck.by",
        "OwnStruck.beaten",
    ),
    "item": ("Objective.piece", "KnownItem.name", "ItemMoved.name"),
    "family": (
        "Held.type",
        "Marker.type",
        "HeldToken.type",
        "TokenMarker.type",
        "ContactIdentified.type",
        "ShooterKnown.type",
        "FighterSeen.type",
        "CloakedFound.type",
        "TokenSeen.type",
        "TokenIdentified.type",
        "TokenGone.type",
        "SpiedUnit.type",
    ),
    "variant": ("Dossier.variant", "SpiedUnit.variant"),
    "mount": (),
    "weapon": (),
    "hull": (),
}
"""Where the intel of an audience may hold a foreign word of each kind: structure and field."""

TRUTH: Final = ("ship", "unit", "agent", "item", "family", "variant", "mount", "hull")
"""The kinds that the truth shows; what the weapons file calls a weapon is shown to nobody."""

_WORD = re.compile(PATTERN)


class CanaryError(AssertionError):
    """Something hidden has left the server, or stands where it must not."""


def words_in(data: bytes) -> frozenset[str]:
    """Return the words in these bytes, in whatever case they stand there."""
    return frozenset(found.decode() for found in _WORD.findall(data.lower()))


@final
class Grants:
    """What each audience of one match may have been told; it only grows."""

    def __init__(self, match: str, words: Words) -> None:
        """Begin with each side's own; `match` is the scenario whose words these are."""
        self.match = match
        self.foreign: dict[str, int] = {}
        self._words = words
        self._granted: dict[str, frozenset[str]] = {}

    def of(self, audience: str) -> frozenset[str]:
        """Return the words that an audience may have been told so far."""
        return self._granted.get(audience, frozenset())

    def hulls(self, audience: str) -> frozenset[int]:
        """Return the unusual hulls that an audience may have been told so far."""
        return frozenset(
            hull
            for hull, word in self._words.hulls.items()
            if self._is_own(audience, word) or (audience in self._granted and audience == OMNI)
        )

    def learn(self, state: MatchState) -> None:
        """Take in what every audience has learned by now; raise where a word stands wrongly."""
        for audience, intel in state.intel.items():
            if audience != OMNI:
                self._learn(audience, intel)

    def show_truth(self) -> None:
        """Grant the feed of the truth what it shows; its delay is over."""
        self._granted[OMNI] = frozenset(
            text
            for text, word in self._words.known.items()
            if word.match == self.match and word.kind in TRUTH
        )

    def _learn(self, audience: Audience, intel: msgspec.Struct) -> None:
        known = self._granted.get(audience) or self._own(audience)
        fresh = words_in(msgspec.msgpack.encode(intel)) - known
        if fresh:
            self._check_places(audience, intel, fresh)
            for kind in {self._words.known[word].kind for word in fresh}:
                self.foreign[kind] = self.foreign.get(kind, 0) + 1
        self._granted[audience] = known | fresh

    def _own(self, audience: Audience) -> frozenset[str]:
        mine = self._words.known.items()
        return frozenset(text for text, word in mine if self._is_own(audience, word))

    def _is_own(self, audience: str, word: Word) -> bool:
        return word.match == self.match and audience in word.owners and word.kind != "weapon"

    def _check_places(
        self, audience: Audience, intel: msgspec.Struct, fresh: frozenset[str]
    ) -> None:
        for word, place in _standing(intel, ""):
            if word in fresh and place not in MAY_STAND[self._words.known[word].kind]:
                kind = self._words.known[word].kind
                raise CanaryError(f"{audience} learned the {kind} {word} as {place}")


def _standing(value: object, place: str) -> Iterator[tuple[str, str]]:
    """Yield every word in a value with the structure and field in which it stands."""
    if isinstance(value, str):
        yield from ((word, place) for word in words_in(value.encode()))
    elif isinstance(value, msgspec.Struct):
        for field in value.__struct_fields__:
            yield from _standing(getattr(value, field), f"{type(value).__name__}.{field}")
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from _standing(key, place)
            yield from _standing(part, place)
    elif isinstance(value, tuple | list):
        for part in value:
            yield from _standing(part, place)
