"""Reads the words of a command: pieces, places, weapons and states of one view."""

import re

from sunglare_client.verbs.words import MISSING, Words
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
from sunglare_protocol.ids import Handle, OwnId
from sunglare_protocol.orders import Order
from sunglare_protocol.surface import Cell, Site, cell_named
from sunglare_protocol.views import ContactView, OwnView, View
from sunglare_protocol.views.ground import GroundView, TokenView
from sunglare_protocol.words.armament import Launchable
from sunglare_protocol.words.ladder import Fate
from sunglare_protocol.words.scans import ScanSize, ScanType
from sunglare_rules.advice.check.launch import launchers
from sunglare_rules.advice.seen.lookup import ships_in_play
from sunglare_rules.capital.tag import TAG_BRACKET

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


class Reader(Words):
    """The words of one command, read against a view and a plan."""

    def __init__(self, verb: str, words: list[str], view: View, plan: tuple[Order, ...]) -> None:
        """Keep the words; nothing is read yet."""
        super().__init__(verb, words)
        self.view = view
        self.plan = plan

    def state(self) -> bool:
        """Take `on` or `off`."""
        return self.pick("state", {"on": True, "off": False})

    def ship(self) -> OwnView:
        """Take an own ship in play."""
        ships: dict[str, OwnView] = {ship.id: ship for ship in ships_in_play(self.view)}
        return self.one_of("ship", "one of your ships", ships)

    def unit(self) -> GroundView:
        """Take an own ground unit in play."""
        return self.pick("ground unit of yours", self._units())

    @property
    def names_unit(self) -> bool:
        """Return whether the next word names an own ground unit, perhaps with a weapon."""
        name = self.peek().partition(".")[0].lower()
        return any(unit.id.lower() == name for unit in self.view.ground)

    def own_id(self) -> OwnId:
        """Take the id of an own ship in play, a ground unit or an agent."""
        names = [ship.id for ship in self.view.own if ship.fate is Fate.IN_PLAY]
        names += [unit.id for unit in self.view.ground]
        names += [agent.id for agent in self.view.agents]
        return self.pick("piece of yours", {name: name for name in names})

    def heading(self, what: str = "direction") -> Compass:
        """Take a compass point."""
        points = {point.value: point for point in Compass}
        return self.one_of(what, "a direction", points)

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
        return self.pick("scan type", {scan_type.value: scan_type for scan_type in ScanType})

    def scan_place(self) -> tuple[ScanSize, str | Square]:
        """Take the size of a scan and the box or square it is placed by."""
        size = self.word("size", tuple(choice.value for choice in ScanSize)).lower()
        if size not in _BOX_SIZE_WORDS and size not in _SQUARE_SIZE_WORDS:
            self.fail(
                "E-ARG", f"'{size}' is not a size", tuple(choice.value for choice in ScanSize)
            )
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
        for contact in self.view.contacts:
            named[contact.label.lower()] = contact
            if contact.handle is not None:
                named[contact.handle.lower()] = contact
        shown = (
            contact for contact in self.view.contacts if contact.handle is not None or not aimed
        )
        labels = tuple(contact.label for contact in shown)
        word = self.word("contact", labels)
        found = named.get(word.lower())
        if found is None:
            self.fail("E-ARG", f"'{word}' is not one of your contacts", labels)
        return found

    def held(self) -> Handle:
        """Take a contact at which something can be aimed."""
        target = self.contact(aimed=True)
        if target.handle is None:
            state = target.fix.value
            self.fail("E-ARG", f"{target.label} is a {state}; nothing can be aimed at it")
        return target.handle

    def tokens(self, site: Site | None) -> dict[str, TokenView]:
        """Return the tokens of a surface map by label and by handle."""
        named: dict[str, TokenView] = {}
        for surface in self.view.surfaces:
            for token in surface.tokens if surface.site == site else ():
                named[token.label] = token
                if token.handle is not None:
                    named[token.handle] = token
        return named

    def held_token(self, site: Site | None) -> Handle:
        """Take a token of a surface map at which something can be aimed."""
        token = self.pick("token on the unit's map", self.tokens(site))
        if token.handle is None:
            self.fail("E-ARG", f"{token.label} is a memory; nothing can be aimed at it")
        return token.handle

    def mount(self) -> tuple[OwnView, str]:
        """Take a weapon of an own ship, as `S1.B1` or as two words."""
        self.part_mount()
        ship = self.ship()
        weapons = {weapon.id: weapon.id for weapon in ship.weapons if weapon.works}
        return ship, self.one_of("weapon", f"a working weapon of {ship.id}", weapons)

    def launcher(self) -> tuple[OwnView, str | Launchable]:
        """Take a launcher of an own ship, as `S1.M1` or as two words; or `fighter`, `remote`."""
        self.part_mount()
        ship = self.ship()
        named: dict[str, str | Launchable] = {
            launcher.id: launcher.id for launcher in launchers(ship)
        }
        if ship.flights:
            named[Launchable.FIGHTER.value] = Launchable.FIGHTER
        if ship.dispensers:
            named[Launchable.REMOTE.value] = Launchable.REMOTE
        return ship, self.one_of("launcher", f"a launcher of {ship.id}", named)

    def unit_mount(self) -> tuple[GroundView, str]:
        """Take a weapon of an own ground unit, as `G1.R1` or as two words."""
        self.part_mount()
        unit = self.unit()
        weapons = {weapon.id: weapon.id for weapon in unit.weapons}
        weapons |= {
            special.value: special.value for special in unit.specials if special in TAG_BRACKET
        }
        return unit, self.one_of("weapon", f"a weapon of {unit.id}", weapons)

    def site(self, default: Site | None) -> Site:
        """Take a planet and the number of an environs; without a planet it is the default."""
        planets = {planet.name: planet for planet in self.view.board.planets if planet.environs}
        name = self.named(planets)
        if name is None:
            if default is None:
                self.fail(MISSING, "needs a planet and the number of an environs next")
            return default
        numbers = {str(environs.number): environs.number for environs in planets[name].environs}
        return Site(name, self.pick(f"environs of {name}", numbers))

    def sites(self) -> list[Site]:
        """Return every environs of the map."""
        return [
            Site(planet.name, environs.number)
            for planet in self.view.board.planets
            for environs in planet.environs
        ]

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
            contact.label: contact.square
            for contact in self.view.contacts
            if contact.label not in places
        }
        places |= {name: body.at for name, body in self._bodies().items() if name not in places}
        named = self.named(places)
        return (
            box_named(self._box(self.word("place", tuple(places)))).centre
            if named is None
            else places[named]
        )

    def _units(self) -> dict[str, GroundView]:
        return {unit.id: unit for unit in self.view.ground if unit.fate is Fate.IN_PLAY}

    def _bodies(self) -> dict[str, Planet | Asteroid]:
        board = self.view.board
        every: tuple[Planet | Asteroid, ...] = (*board.planets, *board.asteroids)
        return {body.name: body for body in every}

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
