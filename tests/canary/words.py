"""Data files in which every name is a unique random word, and whose word each is.

The words of different matches, sides, classes, weapons, pieces and people all differ, so that one
that stands where it should not shows what has leaked. Hulls of flagships are unusual numbers.
"""

import json
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, final

import msgspec

from sunglare_protocol.ids import Side
from sunglare_server.base.library import SHIPPED
from sunglare_server.match.data.scenario import Scenario

_LETTERS = "abcdefghijkmnopqrstuvwxyz23456789"
_WORD_LETTERS = 9

PATTERN = rb"zq[a-z2-9]{9}"
"""What every word looks like in bytes, in small letters."""

HULLS = range(131, 200)
"""The hulls of flagships: numbers that nothing else in a match comes to."""

_Raw = dict[str, Any]


@final
class Word(msgspec.Struct, frozen=True, kw_only=True):
    """A hidden name: the sides whose own it is, and the kind of thing that bears it."""

    kind: str
    owners: tuple[Side, ...]
    match: str


@final
class Words:
    """All words of a folder of data files by themselves, and the unusual hulls of its classes."""

    def __init__(self, seed: str) -> None:
        """Draw the words from `seed`."""
        self.known: dict[str, Word] = {}
        self.hulls: dict[int, Word] = {}
        self._rng = Random(seed)
        self._hulls = self._rng.sample(HULLS, len(HULLS))

    def fresh(self, kind: str, match: str, *owners: Side) -> str:
        """Return a new word for a thing of this kind that these sides own."""
        word = "zq" + "".join(self._rng.choices(_LETTERS, k=_WORD_LETTERS))
        self.known[word] = Word(kind=kind, owners=owners, match=match)
        return word

    def hull(self, match: str, owner: Side) -> int:
        """Return an unusual hull that no other class has."""
        number = self._hulls.pop()
        self.hulls[number] = Word(kind="hull", owners=(owner,), match=match)
        return number


def write_folder(folder: Path, scenarios: tuple[Scenario, ...], words: Words) -> None:
    """Write weapons, classes, ground classes and these scenarios under names that are words."""
    weapons: _Raw = {}
    ships: _Raw = {}
    ground: _Raw = {}
    (folder / "scenarios").mkdir(parents=True)
    for scenario in scenarios:
        renamer = _Renamer(scenario, words, weapons)
        path = folder / "scenarios" / f"{scenario.name}.toml"
        path.write_text(_toml(renamer.scenario()), encoding="utf-8")
        ships.update(renamer.ships)
        ground.update(renamer.ground)
    for name, tables in (("weapons", weapons), ("ships", ships), ("ground", ground)):
        (folder / f"{name}.toml").write_text(_toml(tables), encoding="utf-8")


@final
class _Renamer:
    """Makes one scenario over: its classes side by side, then every name in its rosters."""

    def __init__(self, scenario: Scenario, words: Words, weapons: _Raw) -> None:
        self.ships: _Raw = {}
        self.ground: _Raw = {}
        self._scenario = scenario
        self._words = words
        self._weapons = weapons
        self._names: dict[tuple[str, ...], str] = {}
        self._shipped = {
            name: tomllib.loads((SHIPPED / f"{name}.toml").read_text(encoding="utf-8"))
            for name in ("weapons", "ships", "ground")
        }

    def scenario(self) -> _Raw:
        """Return the scenario as its file has it."""
        raw: _Raw = _without_none(msgspec.to_builtins(self._scenario.data))
        for side in self._scenario.sides:
            self._name_pieces(side, raw["sides"][side])
        for item in raw.get("items", []):
            item["name"] = self._named("item", item["name"])
        for side in self._scenario.sides:
            self._refer(raw["sides"][side])
        return raw

    def _name_pieces(self, side: Side, setup: _Raw) -> None:
        for number, entry in enumerate(_ships(setup)):
            entry["type"] = self._ship_class(side, entry["type"], is_flag=number == 0)
            entry["name"] = self._named("ship", entry["name"], side)
        for entry in setup.get("ground", []):
            entry["type"] = self._ground_class(side, entry["type"])
            entry["name"] = self._named("unit", entry["name"], side)
        for entry in setup.get("agents", []):
            entry["name"] = self._named("agent", entry["name"], side)

    def _refer(self, setup: _Raw) -> None:
        """Put the new names where entries and objectives refer to pieces by name."""
        for entry in (*setup.get("ground", []), *setup.get("agents", [])):
            for field in ("aboard", "stacked"):
                if field in entry:
                    entry[field] = self._names["name", entry[field]]
        self._fit_bays(setup)
        for objective in setup.get("objectives", []):
            if "piece" in objective:
                objective["piece"] = self._names["name", objective["piece"]]

    def _fit_bays(self, setup: _Raw) -> None:
        """Give the classes of ships bays for the units that begin aboard."""
        aboard = Counter(entry["aboard"] for entry in setup.get("ground", []) if "aboard" in entry)
        for ship in _ships(setup):
            raw = self.ships[ship["type"]]
            raw["bays"] = max(raw.get("bays", 0), aboard[ship["name"]])

    def _named(self, kind: str, name: str, *owners: Side) -> str:
        return self._once(("name", name), kind, *owners)

    def _once(self, key: tuple[str, ...], kind: str, *owners: Side) -> str:
        if key not in self._names:
            self._names[key] = self._words.fresh(kind, self._scenario.name, *owners)
        return self._names[key]

    def _ship_class(self, side: Side, name: str, *, is_flag: bool = False) -> str:
        """Return the word for a side's own copy of a ship class, made when first asked for."""
        is_new = ("class", side, name) not in self._names
        word = self._once(("class", side, name), "variant", side)
        if not is_new:
            return word
        raw: _Raw = json.loads(json.dumps(self._shipped["ships"][name]))
        family = str(raw.get("family", name))
        raw["family"] = self._once(("family", side, family), "family", side)
        if "remote" in raw:
            raw["remote"] = self._ship_class(side, raw["remote"])
        if is_flag:
            raw["hull"] = self._words.hull(self._scenario.name, side)
        self._fit(side, name, raw)
        self.ships[word] = raw
        return word

    def _fit(self, side: Side, name: str, raw: _Raw) -> None:
        for turret in raw.get("turrets", []):
            turret["id"] = self._once(("turret", side, name, turret["id"]), "mount", side)
        for weapon in raw.get("weapons", []):
            weapon["id"] = self._once(("weapon", side, name, weapon["id"]), "mount", side)
            if "turret" in weapon:
                weapon["turret"] = self._names["turret", side, name, weapon["turret"]]
            # What the weapons file calls a weapon is told to nobody, its owner included.
            kind = self._once(("kind", side, weapon["weapon"]), "weapon")
            self._weapons[kind] = self._shipped["weapons"][weapon["weapon"]]
            weapon["weapon"] = kind

    def _ground_class(self, side: Side, name: str) -> str:
        is_new = ("class", side, name) not in self._names
        word = self._once(("class", side, name), "variant", side)
        if is_new:
            raw: _Raw = json.loads(json.dumps(self._shipped["ground"][name]))
            raw["type"] = self._once(("family", side, raw["type"]), "family", side)
            if "remote" in raw:
                raw["remote"] = self._ground_class(side, raw["remote"])
            for weapon in raw.get("weapons", []):
                weapon["id"] = self._once(("weapon", side, name, weapon["id"]), "mount", side)
            self.ground[word] = raw
        return word


def _ships(setup: _Raw) -> Iterator[_Raw]:
    yield from setup.get("ships", [])
    for roster in setup.get("drawn", []):
        yield from roster


def _without_none(value: Any) -> Any:
    """Return the value without keys that hold nothing, which TOML has no word for."""
    if isinstance(value, dict):
        return {key: _without_none(part) for key, part in value.items() if part is not None}
    return [_without_none(part) for part in value] if isinstance(value, list | tuple) else value


def _toml(tables: _Raw) -> str:
    return "".join(f"{json.dumps(key)} = {_inline(value)}\n" for key, value in tables.items())


def _inline(value: object) -> str:
    """Return a value as TOML writes it in one line, which for plain ones is what JSON writes."""
    if isinstance(value, dict):
        pairs = (f"{json.dumps(key)} = {_inline(part)}" for key, part in value.items())
        return "{ " + ", ".join(pairs) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_inline, value)) + "]"
    return json.dumps(value)
