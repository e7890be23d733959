"""What happened on the surface, in sentences."""

from typing import assert_never

from sunglare_client.text.printable import spoken
from sunglare_protocol.ids import Side
from sunglare_protocol.notices.ground import (
    GroundFared,
    GroundFound,
    GroundOfTruth,
    GroundOwn,
    GroundShotResult,
    ImpactSeen,
    MapLost,
    MapSeen,
    MoveFault,
    OwnEmerged,
    OwnGroundHit,
    OwnHalted,
    OwnIdentified,
    OwnOverflown,
    OwnUncovered,
    TokenEnd,
    TokenGone,
    TokenIdentified,
    TokenSeen,
)

_ENDS: dict[TokenEnd, str] = {
    TokenEnd.LEFT: "is gone from the map",
    TokenEnd.LIFTED: "lifts off",
    TokenEnd.DESTROYED: "is DESTROYED",
    TokenEnd.UNSEEN: "is out of your sight",
}
"""How a token ends, in words."""

_FAULTS: dict[MoveFault, str] = {
    MoveFault.TERRAIN: "the terrain stops it",
    MoveFault.NO_SHIP: "the ship is not there",
}
"""Why a unit is halted, in words."""


def ground_found(notice: GroundFound) -> str:
    """Return what own looking on the surface brings, as a sentence."""
    match notice:
        case MapSeen():
            return f"you see the surface of {notice.site.name} from now on"
        case MapLost():
            return f"you no longer see the surface of {notice.site.name}"
        case TokenSeen():
            place = f"{notice.site.name} {notice.cell.name}"
            return f"TOKEN {notice.label} on {place}{_named(notice.side, notice.type)}"
        case TokenIdentified():
            return f"IDENTIFIED {notice.label}{_named(notice.side, notice.type)}"
        case TokenGone():
            return f"{notice.label} {_ENDS[notice.how]}{_named(notice.side, notice.type)}"
        case _:
            assert_never(notice)


def ground_fared(notice: GroundFared) -> str:
    """Return what own attacks did and what came down in sight, as a sentence."""
    match notice:
        case GroundShotResult():
            effect = f"hits for {notice.damage}" if notice.damage else "misses"
            dice = " ".join(str(die) for die in notice.dice)
            return f"{notice.ship}.{notice.weapon} at {notice.at} {effect} (dice {dice})"
        case ImpactSeen():
            return f"fire comes down on {notice.site.name} {notice.cell.name}"
        case _:
            assert_never(notice)


def ground_own(notice: GroundOwn) -> str:
    """Return what happened to an own piece on the surface, as a sentence."""
    match notice:
        case OwnHalted():
            where = notice.cell.name
            return f"your {notice.ship} halts on {where}: {_FAULTS[notice.why]}"
        case OwnEmerged(ship=unit, identified=identified):
            shown = "is SHOWN for what it is" if identified else "is a token"
            return f"your {unit} steps out of hiding and {shown}"
        case OwnIdentified():
            return f"your {notice.ship} is IDENTIFIED"
        case OwnOverflown():
            place, seen = notice.site.name, ", ".join(notice.ships)
            return f"FIGHTER of side {notice.side} over {place}: your {seen} IDENTIFIED"
        case OwnUncovered():
            return f"your {notice.ship} is found in its hiding place"
        case OwnGroundHit():
            place = f"{notice.site.name} {notice.cell.name}"
            attack = f"your {notice.ship} on {place} is attacked ({spoken(notice.weapon.value)})"
            return f"{attack} and takes {notice.damage} damage"
        case _:
            assert_never(notice)


def ground_of_truth(notice: GroundOfTruth) -> str:
    """Return what only the truth feed is told, as a sentence."""
    return f"{notice.side}: {notice.how.upper()} {notice.owner}.{notice.piece} on the surface"


def _named(side: Side | None, kind: str | None) -> str:
    return "" if kind is None else f": side {side}, {kind}"
