"""Truths with capital weapons made by hand, and an event of every kind of capital fire."""

import msgspec

from builders.ground import AG1, BG1, SITE, ground_truth, seeing, unit
from builders.truths import B1, A, B, holding, ship
from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import OwnId
from sunglare_protocol.surface import Arm, Cell
from sunglare_protocol.words.capital import CapitalClass
from sunglare_protocol.words.ladder import Fix
from sunglare_server.match.events.capital import (
    BatteryExposed,
    BatteryFired,
    FighterOverflew,
    MissileSent,
    PointDesignated,
    PointStruck,
)
from sunglare_server.match.events.space import Event
from sunglare_server.match.kinds import Harmed, MissileFlight, Noticed
from sunglare_server.match.truth.truth import Truth

_replace = msgspec.structs.replace

FLIGHT = MissileFlight(
    piece=AG1,
    side=A,
    own=OwnId("G1"),
    weapon="D1",
    kind=CapitalClass.SDS_CM,
    at=SITE,
    cell=Cell(4, 4),
    sent=1,
    lands=2,
    needed=11,
    damage=4,
)


def capital_situations() -> tuple[Truth, ...]:
    """Return truths in which B's ship is held by A in every way, and A's tokens are seen."""
    units = (unit(A, kind="defence-missiles"), unit(B, at=(2, 0)))
    truth = ground_truth(*units, ships=(ship(B, 1, (15, 11)),))
    held = (holding(truth, A, B1, fix) for fix in (Fix.CONTACT, Fix.TRACKED, Fix.COASTING))
    return (*held, seeing(holding(truth, A, B1, Fix.CONTACT), A, BG1))


FIRED = BatteryFired(
    piece=AG1, weapon="D1", kind=Arm.SDS_CM, target=B1, dice=(4, 3), damage=2, spent=1
)
STRUCK = PointStruck(
    piece=AG1,
    side=A,
    own=OwnId("G1"),
    weapon="D1",
    kind=CapitalClass.SDS_CM,
    site=SITE,
    cell=Cell(4, 4),
    dice=(4, 3),
    needed=11,
    impact=(9000, 9000),
    harmed=(Harmed(BG1, 2),),
    heard=(B,),
    sent=1,
)


def capital_samples() -> tuple[Event, ...]:
    """Return an event of every kind of capital fire, by A's unit at B's ship and unit."""
    return (
        FighterOverflew(piece=B1, side=A),
        PointDesignated(piece=AG1, site=SITE, cell=Cell(3, 3), noticed=(Noticed(BG1, 270),)),
        FIRED,
        _replace(FIRED, damage=0, spent=2, stopped=True),
        BatteryExposed(piece=AG1, square=Square(15, 11), witnesses=(B,)),
        BatteryExposed(piece=AG1, square=Square(15, 11), witnesses=()),
        MissileSent(flight=FLIGHT, noticed=(Noticed(BG1, 0),)),
        STRUCK,
        _replace(STRUCK, impact=None, harmed=(), heard=(), scatter=(1,)),
    )
