"""Reading the words of a command: each reader takes one word, or says what would be right."""

import re
from collections.abc import Iterable
from typing import NoReturn, TypeVar

from sunglare_client.command import Problem
from sunglare_client.text.lists.space import one_word
from sunglare_client.verbs.table import Verb
from sunglare_protocol.errors import BoxNameError, CellNameError
from sunglare_protocol.geometry import (
    Asteroid,
    Compass,
    Planet,
    Square,
    Vector,
    box_named,
    box_of,
)
from sunglare_protocol.orders import Order
from sunglare_protocol.surface import Cell, cell_named
from sunglare_protocol.views import ContactView, OwnView, View
from sunglare_protocol.views.ground import GroundView
from sunglare_protocol.words.armament import Launchable
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.scans import ScanSize, ScanType
from sunglare_rules.advice.check.launch import launchers
from sunglare_rules.advice.seen.lookup import ships_in_play
from sunglare_rules.capital.tag import TAG_BRACKET

Choice = TypeVar("Choice")

MISSING = "E-MISSING"
"""The code of a line that needs another word."""


class Misread(Exception):
    """A word that does not fit, with the problem to show."""

    def __init__(self, problem: Problem) -> None:
        """Keep the problem."""
        super().__init__(problem.text)
        self.problem = problem


_PAIR = re.compile(r"\(?([+-]?\d{1,3}),([+-]?\d{1,3})\)?")
_STEPS = re.compile(r"[+-]?[0-4]")
_BOX_SIZE_WORDS = {
    "1box": ScanSize.BOX,
    "box": ScanSize.BOX,
    "1x1": ScanSize.BOX,
    "1": ScanSize.BOX,
    "3box": ScanSize.BOXES,
    "boxes": ScanSize.BOXES,
    "3x3": ScanSize.BOXES,
    "3": ScanSize.BOXES,
}
_SQUARE_SIZE_WORDS = {
    "1sq": ScanSize.SQUARE,
    "sq": ScanSize.SQUARE,
    "1": ScanSize.SQUARE,
    "3sq": ScanSize.SQUARES,
    "3": ScanSize.SQUARES,
}


class Reader:
    """The words of one command after its verb, read one by one against a view and a plan."""

    def __init__(self, verb: Verb, words: list[str], view: View, plan: tuple[Order, ...]) -> None:
        """Keep the words; nothing is read yet."""
        self.verb = verb
        self.view = view
        self.plan = plan
        self._words = words

    @property
    def more(self) -> bool:
        """Return whether words are left."""
        return bool(self._words)

    @property
    def names_mount(self) -> bool:
        """Return whether the words left name a weapon besides the ship."""
        return len(self._words) > 1 or "." in self.peek()

    def peek(self) -> str:
        """Return the next word without taking it, empty if there is none."""
        return self._words[0] if self._words else ""

    def rest(self) -> str:
        """Take all that is left as one text."""
        text, self._words = " ".join(self._words), []
        return text

    def word(self, what: str, choices: tuple[str, ...] = ()) -> str:
        """Take the next word; `what` and `choices` say what is missing if there is none."""
        if not self._words:
            self.fail(MISSING, f"needs <{what}> next", choices)
        return self._words.pop(0)

    def done(self) -> None:
        """Refuse words that are left over."""
        if self._words:
            self.fail("E-ARG", f"'{' '.join(self._words)}' is too much")

    def fail(self, code: str, wrong: str, choices: tuple[str, ...] = ()) -> NoReturn:
        """Refuse the command."""
        right = f"Choices: {', '.join(choices)}." if choices else ""
        wrong = f"{self.verb.name}: {wrong}."
        raise Misread(Problem(code, wrong, right, choices=choices))

    def named(self, names: Iterable[str]) -> str | None:
        """Take one of these names if the next words are one, or return None.

        Whatever the case; a name of several words may be typed as it is shown or as one word.
        """
        found, count = self._name_ahead(tuple(names))
        del self._words[:count]
        return found

    def begins(self, names: Iterable[str]) -> bool:
        """Return whether the next words are one of these names, without taking them."""
        return self._name_ahead(tuple(names))[0] is not None

    def _name_ahead(self, names: tuple[str, ...]) -> tuple[str | None, int]:
        """Return the longest name that comes next, and how many words it takes."""
        for count in range(len(self._words), 0, -1):
            words = " ".join(self._words[:count]).lower()
            for name in names:
                if words in (name.lower(), one_word(name).lower()):
                    return name, count
        return None, 0

    def pick(self, what: str, choices: dict[str, Choice]) -> Choice:
        """Take a name that is one of the choices or the beginning of exactly one."""
        names = tuple(choices)
        named = self.named(names)
        if named is not None:
            return choices[named]
        word = self.word(what, names)
        meant = [name for name in names if one_word(name).lower().startswith(word.lower())]
        if len(meant) != 1:
            article = "an" if what[0] in "aeiou" else "a"
            self.fail("E-ARG", f"'{word}' is not {article} {what}", names)
        return choices[meant[0]]

    def ship(self) -> OwnView:
        """Take an own ship in play."""
        ships: dict[str, OwnView] = {ship.id: ship for ship in ships_in_play(self.view)}
        return self._one_of("ship", "one of your ships", ships)

    def heading(self, what: str = "direction") -> Compass:
        """Take a compass point."""
        points = {point.value: point for point in Compass}
        return self._one_of(what, "a direction", points)

    def steps(self) -> int:
        """Take a number of turn steps, clockwise above zero."""
        word = self.word("steps")
        if _STEPS.fullmatch(word) is None:
            self.fail("E-ARG", f"'{word}' is no number of steps (-4 to +4, clockwise above zero)")
        return int(word)

    def vector(self) -> Vector:
        """Take a vector such as `+2,-1`."""
        return Vector(*self._pair("dx,dy", "a vector (squares east, a comma, squares south)"))

    def square(self) -> Square:
        """Take a square of the map such as `12,30`."""
        square = Square(*self._pair("x,y", "a square (x east, a comma, y south)"))
        if square not in self.view.board:
            east, south = self.view.board.area[2:]
            self.fail(
                "E-ARG", f"{square.x},{square.y} is off the map, which ends at {east},{south}"
            )
        return square

    def scan_type(self) -> ScanType:
        """Take a scan type or its beginning."""
        return self.pick("scan type", {each.value: each for each in ScanType})

    def scan_place(self) -> tuple[ScanSize, str | Square]:
        """Take the size of a scan and the box or square it is placed by."""
        size = self.word("size", tuple(each.value for each in ScanSize)).lower()
        if size not in _BOX_SIZE_WORDS and size not in _SQUARE_SIZE_WORDS:
            self.fail("E-ARG", f"'{size}' is not a size", tuple(each.value for each in ScanSize))
        place = self.word("box" if size in _BOX_SIZE_WORDS else "x,y")
        if _PAIR.fullmatch(place) is None:
            box = self._box(place)
            if size not in _BOX_SIZE_WORDS:
                self.fail("E-ARG", f"{size} is placed by a square (x,y)")
            return _BOX_SIZE_WORDS[size], box
        self._words.insert(0, place)
        square = self.square()
        if size in _SQUARE_SIZE_WORDS:
            return _SQUARE_SIZE_WORDS[size], square
        return _BOX_SIZE_WORDS[size], box_of(square).name

    def body(self) -> Planet | Asteroid:
        """Take a body of the map."""
        return self.pick("body", self._bodies())

    def contact(self, *, aimed: bool = False) -> ContactView:
        """Take a contact by its label or handle; with `aimed` no memory is named as a choice."""
        named: dict[str, ContactView] = {}
        for each in self.view.contacts:
            named[each.label.lower()] = each
            if each.handle is not None:
                named[each.handle.lower()] = each
        shown = (each for each in self.view.contacts if each.handle is not None or not aimed)
        labels = tuple(each.label for each in shown)
        word = self.word("contact", labels)
        found = named.get(word.lower())
        if found is None:
            self.fail("E-ARG", f"'{word}' is not one of your contacts", labels)
        return found

    def mount(self) -> tuple[OwnView, str]:
        """Take a weapon of an own ship, as `S1.B1` or as two words."""
        if self._words and "." in self._words[0]:
            self._words[:1] = self._words[0].split(".", 1)
        ship = self.ship()
        weapons = {each.id: each.id for each in ship.weapons if each.works}
        return ship, self._one_of("weapon", f"a working weapon of {ship.id}", weapons)

    def launcher(self) -> tuple[OwnView, str | Launchable]:
        """Take a launcher of an own ship, as `S1.M1` or as two words; or `fighter`, `remote`."""
        if self._words and "." in self._words[0]:
            self._words[:1] = self._words[0].split(".", 1)
        ship = self.ship()
        named: dict[str, str | Launchable] = {each.id: each.id for each in launchers(ship)}
        if ship.flights:
            named[Launchable.FIGHTER.value] = Launchable.FIGHTER
        if ship.dispensers:
            named[Launchable.REMOTE.value] = Launchable.REMOTE
        return ship, self._one_of("launcher", f"a launcher of {ship.id}", named)

    def unit_mount(self) -> tuple[GroundView, str]:
        """Take a weapon of an own ground unit, as `G1.R1` or as two words."""
        if self._words and "." in self._words[0]:
            self._words[:1] = self._words[0].split(".", 1)
        units: dict[str, GroundView] = {
            unit.id: unit for unit in self.view.ground if unit.fate is Fate.IN_PLAY
        }
        unit = self.pick("ground unit of yours", units)
        weapons = {each.id: each.id for each in unit.weapons}
        weapons |= {each.value: each.value for each in unit.specials if each in TAG_BRACKET}
        return unit, self._one_of("weapon", f"a weapon of {unit.id}", weapons)

    def cell(self) -> Cell:
        """Take a cell of a surface map, such as `C4`."""
        word = self.word("cell")
        try:
            return cell_named(word.upper())
        except CellNameError:
            self.fail("E-ARG", f"'{word}' is not a cell (column letter, then row)")

    def spot(self) -> Square:
        """Take anything that lies somewhere: a piece, a body, a box or a square."""
        if _PAIR.fullmatch(self.peek()) is not None:
            return self.square()
        places: dict[str, Square] = {ship.id: ship.square for ship in self.view.own}
        places |= {
            each.label: each.square for each in self.view.contacts if each.label not in places
        }
        places |= {name: body.at for name, body in self._bodies().items() if name not in places}
        named = self.named(places)
        return (
            box_named(self._box(self.word("place", tuple(places)))).centre
            if named is None
            else places[named]
        )

    def _bodies(self) -> dict[str, Planet | Asteroid]:
        board = self.view.board
        every: tuple[Planet | Asteroid, ...] = (*board.planets, *board.asteroids)
        return {each.name: each for each in every}

    def _box(self, word: str) -> str:
        try:
            box = box_named(word.upper())
        except BoxNameError:
            self.fail("E-ARG", f"'{word}' is not a box (column letter, then row)")
        if box.centre not in self.view.board:
            board = self.view.board
            last = box_of(Square(board.area.east, board.area.south)).name
            self.fail("E-ARG", f"box {box.name} is off the map, which goes from A1 to {last}")
        return box.name

    def _pair(self, what: str, meaning: str) -> tuple[int, int]:
        word = self.word(what)
        found = _PAIR.fullmatch(word)
        if found is None:
            self.fail("E-ARG", f"'{word}' is not {meaning}")
        return int(found[1]), int(found[2])

    def _one_of(self, what: str, meaning: str, choices: dict[str, Choice]) -> Choice:
        names = tuple(choices)
        named = self.named(names)
        if named is None:
            word = self.word(what, names)
            self.fail("E-ARG", f"'{word}' is not {meaning}", names)
        return choices[named]
