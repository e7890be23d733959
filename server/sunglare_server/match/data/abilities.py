"""Special abilities of classes: read from their words, with the remote sensors launched.

Source: Alpha Strike, special abilities; blips of our rule book §2.3.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple, TypeVar

import msgspec

from sunglare_protocol.surface import GroundKind
from sunglare_protocol.words.pieces import PieceKind
from sunglare_protocol.words.specials import NUMBERED, Special, Specials
from sunglare_server.match.data.ground_classes import GroundClass, GroundData
from sunglare_server.match.data.scenario import ShipClass, ShipData

NUMBER_MOST = 6
"""OWN: the highest number that an ability may have."""

_Class = TypeVar("_Class", ShipClass, GroundClass)

_WORDS = {special.value: special for special in Special}
_NUMBERED = re.compile(r"([A-Z]+) ?([0-9]+)")


class AbilityError(Exception):
    """Abilities of a class are wrong: `key` of the file and `why`, which says what is right."""

    def __init__(self, key: str, why: str) -> None:
        """Keep both."""
        super().__init__(key, why)
        self.key, self.why = key, why


class Ability(NamedTuple):
    """One ability, and its number if it has one."""

    special: Special
    number: int = 1


def equipped(
    classes: dict[str, ShipClass], found: dict[str, ShipData], known: dict[str, ShipClass]
) -> dict[str, ShipClass]:
    """Return the classes of one file with families, abilities and remote sensors filled in.

    `known` are the classes of files read before, which may be launched too. Raise
    `AbilityError`.
    """
    able = {name: _able(kind, found[name]) for name, kind in classes.items()}
    return with_remotes(able, found, known)


def with_remotes(
    able: dict[str, _Class],
    found: Mapping[str, ShipData | GroundData],
    known: dict[str, _Class],
) -> dict[str, _Class]:
    """Return classes of one file, whose abilities are filled in, with their remote sensors.

    `found` is what the file says, `known` are the classes of files read before. Raise
    `AbilityError`.
    """
    every = {**known, **able}
    remotes = {name: kind for name, kind in every.items() if _is_remote(kind)}
    return {
        name: msgspec.structs.replace(kind, remote=_launched(kind, found[name].remote, remotes))
        for name, kind in able.items()
    }


def equipment(name: str, words: tuple[str, ...]) -> tuple[Specials, int]:
    """Return the abilities that a class is given, and how many dispensers of remote sensors."""
    named = abilities(f"{name}.specials", words)
    dispensers = sum(ability.number for ability in named if ability.special is Special.RSD)
    return tuple(ability.special for ability in named), dispensers


def abilities(key: str, words: tuple[str, ...]) -> tuple[Ability, ...]:
    """Return the abilities that the words of a file name, each once; raise `AbilityError`."""
    named: list[Ability] = []
    for index, word in enumerate(words):
        ability = _ability(f"{key}[{index}]", word)
        if ability.special in [known.special for known in named]:
            raise AbilityError(f"{key}[{index}]", f"{ability.special.value} is named twice")
        named.append(ability)
    return tuple(named)


def _able(kind: ShipClass, data: ShipData) -> ShipClass:
    specials, dispensers = equipment(kind.name, data.specials)
    return msgspec.structs.replace(
        kind, family=data.family or kind.name, specials=specials, dispensers=dispensers
    )


def _ability(key: str, word: str) -> Ability:
    numbered = _NUMBERED.fullmatch(word)
    special = _WORDS.get(word if numbered is None else numbered[1])
    if special is None or (special in NUMBERED) is (numbered is None):
        raise AbilityError(key, f"{word!r} is not known here; known are {_known()}")
    if numbered is None:
        return Ability(special)
    number = int(numbered[2])
    if not 1 <= number <= NUMBER_MOST:
        raise AbilityError(key, f"{special.value} takes a number of 1 to {NUMBER_MOST}")
    return Ability(special, number)


def _known() -> str:
    plain = [special.value for special in Special if special not in NUMBERED]
    return ", ".join((*plain, *(f"{special.value} n" for special in NUMBERED)))


def _is_remote(kind: ShipClass | GroundClass) -> bool:
    return kind.kind in (PieceKind.REMOTE, GroundKind.REMOTE)


def _launched(kind: _Class, wanted: str | None, remotes: dict[str, _Class]) -> _Class | None:
    """Return the remote sensor that a class launches, if any; raise `AbilityError`.

    `wanted` is what its file names, `remotes` are the classes that there are.
    """
    key, known = f"{kind.name}.remote", ", ".join(remotes) or "none"
    if _is_remote(kind) and kind.dispensers:
        raise AbilityError(f"{kind.name}.specials", "a remote sensor has no RSD of its own")
    if wanted is None and not kind.dispensers:
        return None
    if wanted is not None and not kind.dispensers:
        raise AbilityError(key, "only a class with RSD n among its specials launches any")
    if wanted is None or wanted not in remotes:
        raise AbilityError(key, f"RSD n launches a class of kind 'remote'; known are {known}")
    return remotes[wanted]
