"""Ground unit classes as values: what the ground file may say; it is used as it stands.

Source: pieces of our rule book, turn §2, row "ground unit", and blips §2.2 to §2.4.
"""

from typing import Annotated, final

import msgspec

from sunglare_protocol.surface import Arm, GroundKind, Mode, Quality
from sunglare_protocol.text import NAME_MOST
from sunglare_protocol.words.specials import Specials

GUNNERY = 4
"""OWN: what a ground unit needs on two dice at short range, before modifiers."""

POINTS = 1
"""OWN: what a destroyed ground unit is worth."""

Short = Annotated[str, msgspec.Meta(min_length=1, max_length=NAME_MOST)]
Damage = Annotated[int, msgspec.Meta(ge=0, le=99)]


class FromFile(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    cache_hash=True,
    gc=False,
):
    """What stands in a data file: a key that is not known there is refused."""


@final
class GroundWeapon(FromFile, frozen=True):
    """A weapon of a ground unit: its kind, and its damage at short, medium, long, extreme range.

    Physical and anti-'mech attacks are made in base contact and use `s` alone. A weapon that
    does no damage at a bracket does not reach it.
    """

    id: Short
    kind: Arm = Arm.DIRECT
    s: Damage = 0
    m: Damage = 0
    l: Damage = 0  # noqa: E741 - the letter of the bracket, as in the rules
    e: Damage = 0

    @property
    def damages(self) -> tuple[int, int, int, int]:
        """Return the damage at each bracket, short range first."""
        return (self.s, self.m, self.l, self.e)


class _Figures(FromFile, frozen=True):
    type: Short
    kind: GroundKind
    toughness: Annotated[int, msgspec.Meta(ge=1, le=99)]
    mode: Mode = Mode.NONE
    move: Annotated[int, msgspec.Meta(ge=0, le=60)] = 0
    jump: Annotated[int, msgspec.Meta(ge=0, le=60)] = 0
    af: Annotated[int, msgspec.Meta(ge=0, le=99)] = 0
    quality: Quality | None = None
    gunnery: Annotated[int, msgspec.Meta(ge=0, le=9)] = GUNNERY
    points: Annotated[int, msgspec.Meta(ge=0, le=99)] = POINTS
    weapons: tuple[GroundWeapon, ...] = ()


@final
class GroundData(_Figures, frozen=True):
    """A ground unit class as the ground file has it.

    `type` is the family that an enemy learns when it identifies the unit, the class's own name the
    variant that only a data scan shows. `move` is in inches, `jump` likewise and 0 without jets;
    `af` is the strength that counts in a search, `quality` the name on the troop chart, which only
    troops have. `remote` names the class that its dispensers of remote sensors sow.
    """

    specials: tuple[Short, ...] = ()
    remote: Short | None = None


@final
class GroundClass(_Figures, frozen=True, kw_only=True):
    """A ground unit class with its name: figures that do not change in play.

    `dispensers` counts those of remote sensors, `remote` is the class that they sow.
    """

    name: str
    specials: Specials = ()
    dispensers: int = 0
    remote: "GroundClass | None" = None


def ground_class(name: str, data: GroundData) -> GroundClass:
    """Return the class of that name with the figures of the ground file, without abilities."""
    figures = {figure: getattr(data, figure) for figure in _Figures.__struct_fields__}
    return GroundClass(name=name, **figures)
