"""The shapes of things on a drawn map, in Unicode and in ASCII: shape first, no colour at all."""

import functools
from typing import final

import msgspec

from sunglare_client.map.cells import Cell, What
from sunglare_protocol.geometry import Compass
from sunglare_protocol.words.ladder import Fix

BLANK = " "
"""What stands on a square where there is nothing to show."""


@final
class Glyphs(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """One character for each thing that a map shows; `headings` follow the compass from north."""

    headings: str
    fixes: dict[Fix, str]
    cloaked: str
    landed: str
    remote: str
    planet: str
    well: str
    shadow: str
    asteroid: str
    zone: str
    reach: str
    arc: str
    front: str
    glare: str
    place: str
    stand: str
    line: str
    border: str
    ghost: str
    unseen: str
    corners: str
    level: str
    upright: str
    spot: str

    def heading(self, facing: Compass) -> str:
        """Return the shape of a ship that faces that way."""
        return self.headings[facing.index]

    def shape(self, cell: Cell) -> str:
        """Return the one character that stands for a cell."""
        match cell.what:
            case What.SHIP if cell.facing is not None:
                return self.heading(cell.facing)
            case What.HELD if cell.fix is not None:
                return self.fixes[cell.fix]
            case What.LETTER:
                return cell.letter
            case What.PLACE if cell.is_own:
                return self.stand
            case _:
                return self._shapes[cell.what]

    @functools.cached_property
    def _shapes(self) -> dict[What, str]:
        return {
            What.SPACE: BLANK,
            What.WELL: self.well,
            What.SHADOW: self.shadow,
            What.ZONE: self.zone,
            What.REACH: self.reach,
            What.ARC: self.arc,
            What.FRONT: self.front,
            What.GLARE: self.glare,
            What.PLACE: self.place,
            What.LINE: self.line,
            What.BORDER: self.border,
            What.GHOST: self.ghost,
            What.PLANET: self.planet,
            What.ASTEROID: self.asteroid,
            What.CLOAKED: self.cloaked,
            What.LANDED: self.landed,
            What.REMOTE: self.remote,
            What.UNSEEN: self.unseen,
            What.NORTH_WEST: self.corners[0],
            What.NORTH_EAST: self.corners[1],
            What.SOUTH_WEST: self.corners[2],
            What.SOUTH_EAST: self.corners[3],
            What.LEVEL: self.level,
            What.UPRIGHT: self.upright,
            What.SPOT: self.spot,
        }


UNICODE = Glyphs(
    headings="▲◥►◢▼◣◄◤",
    fixes={
        Fix.SOLUTION: "◉",
        Fix.TRACKED: "◆",
        Fix.DETECTED: "◎",
        Fix.CONTACT: "◇",
        Fix.COASTING: "◈",
        Fix.MEMORY: "◦",
    },
    cloaked="○",
    landed="⌂",
    remote="¤",
    planet="█",
    well="·",
    shadow="░",
    asteroid="✶",
    zone="'",
    reach="+",
    arc="°",
    front="¨",
    glare="▒",
    place="▫",
    stand="'",
    line="•",
    border="┊",
    ghost="◌",
    unseen="╳",  # noqa: RUF001 - a crossed-out square, no letter
    corners="┌┐└┘",
    level="─",
    upright="│",
    spot="┼",
)
"""The shapes for a terminal that shows Unicode."""

ASCII = Glyphs(
    headings="^/>\\v/<\\",
    fixes={
        Fix.SOLUTION: "!",
        Fix.TRACKED: "#",
        Fix.DETECTED: "&",
        Fix.CONTACT: "?",
        Fix.COASTING: "%",
        Fix.MEMORY: ",",
    },
    cloaked="o",
    landed="@",
    remote="$",
    planet="O",
    well=".",
    shadow=":",
    asteroid="*",
    zone="'",
    reach=")",
    arc=";",
    front="{",
    glare="~",
    place="_",
    stand="'",
    line="`",
    border="=",
    ghost='"',
    unseen="x",
    corners="++++",
    level="-",
    upright="|",
    spot="+",
)
"""The shapes for every other terminal."""


def glyphs(*, ascii_only: bool) -> Glyphs:
    """Return the set of shapes to draw with."""
    return ASCII if ascii_only else UNICODE
