"""The shapes of things on a drawn map, in Unicode and in ASCII: shape first, no colour at all."""

from typing import final

import msgspec

from sunglare_protocol.geometry import Compass
from sunglare_protocol.words.ladder import Fix


@final
class Glyphs(msgspec.Struct, frozen=True, kw_only=True):
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
    arc: str
    unseen: str
    corners: str
    level: str
    upright: str
    spot: str

    def heading(self, facing: Compass) -> str:
        """Return the shape of a ship that faces that way."""
        return self.headings[facing.index]


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
    arc="°",
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
    arc=";",
    unseen="x",
    corners="++++",
    level="-",
    upright="|",
    spot="+",
)
"""The shapes for every other terminal."""

RANKS = (
    Fix.SOLUTION,
    Fix.TRACKED,
    Fix.DETECTED,
    Fix.CONTACT,
    Fix.COASTING,
    Fix.MEMORY,
)
"""Which of several foreign pieces in one square is drawn: the one held best."""


def glyphs(*, ascii_only: bool) -> Glyphs:
    """Return the set of shapes to draw with."""
    return ASCII if ascii_only else UNICODE


def legend(*, ascii_only: bool) -> str:
    """Return one line that names the shapes."""
    shapes = glyphs(ascii_only=ascii_only)
    fixes = "  ".join(f"{shapes.fixes[fix]} {fix.value}" for fix in RANKS)
    return (
        f"{shapes.heading(Compass.N)} own (the way it faces)  {shapes.cloaked} own, cloaked  "
        f"{shapes.remote} remote  {fixes}  {shapes.planet} planet  {shapes.well} well  "
        f"{shapes.shadow} shadow  {shapes.asteroid} asteroid  {shapes.unseen} blocked  "
        f"{shapes.arc} in a firing arc"
    )
