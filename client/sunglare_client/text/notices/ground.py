"""What happened on the surface, in sentences."""

from typing import assert_never

from sunglare_client.text.printable import spoken
from sunglare_protocol import notices
from sunglare_protocol.ids import Side

_ENDS: dict[notices.TokenEnd, str] = {
    notices.TokenEnd.LEFT: "is gone from the map",
    notices.TokenEnd.LIFTED: "lifts off",
    notices.TokenEnd.DESTROYED: "is DESTROYED",
    notices.TokenEnd.UNSEEN: "is out of your sight",
}
"""How a token ends, in words."""

_FAULTS: dict[notices.MoveFault, str] = {
    notices.MoveFault.TERRAIN: "the terrain stops it",
    notices.MoveFault.NO_SHIP: "the ship is not there",
}
"""Why a unit is halted, in words."""


def ground_sentence(notice: notices.GroundNotice) -> str:
    """Return a notice of the surface as a sentence."""
    if isinstance(notice, notices.GroundFound):
        return _found(notice)
    if isinstance(notice, notices.GroundFared):
        return _fared(notice)
    if isinstance(notice, notices.GroundOwn):
        return _own(notice)
    return _of_truth(notice)


def _found(notice: notices.GroundFound) -> str:
    match notice:
        case notices.MapSeen():
            return f"you see the surface of {notice.site.name} from now on"
        case notices.MapLost():
            return f"you no longer see the surface of {notice.site.name}"
        case notices.TokenSeen():
            place = f"{notice.site.name} {notice.cell.name}"
            return f"TOKEN {notice.label} on {place}{_named(notice.side, notice.type)}"
        case notices.TokenIdentified():
            return f"IDENTIFIED {notice.label}{_named(notice.side, notice.type)}"
        case notices.TokenGone():
            return f"{notice.label} {_ENDS[notice.how]}{_named(notice.side, notice.type)}"
        case _:
            assert_never(notice)


def _fared(notice: notices.GroundFared) -> str:
    match notice:
        case notices.GroundShotResult():
            effect = f"hits for {notice.damage}" if notice.damage else "misses"
            dice = " ".join(str(die) for die in notice.dice)
            return f"{notice.ship}.{notice.weapon} at {notice.at} {effect} (dice {dice})"
        case notices.ImpactSeen():
            return f"fire comes down on {notice.site.name} {notice.cell.name}"
        case _:
            assert_never(notice)


def _own(notice: notices.GroundOwn) -> str:
    match notice:
        case notices.OwnHalted():
            where = notice.cell.name
            return f"your {notice.ship} halts on {where}: {_FAULTS[notice.why]}"
        case notices.OwnEmerged(ship=unit, identified=identified):
            shown = "is SHOWN for what it is" if identified else "is a token"
            return f"your {unit} steps out of hiding and {shown}"
        case notices.OwnIdentified():
            return f"your {notice.ship} is IDENTIFIED"
        case notices.OwnOverflown():
            place, seen = notice.site.name, ", ".join(notice.ships)
            return f"FIGHTER of side {notice.side} over {place}: your {seen} IDENTIFIED"
        case notices.OwnUncovered():
            return f"your {notice.ship} is found in its hiding place"
        case notices.OwnGroundHit():
            place = f"{notice.site.name} {notice.cell.name}"
            attack = f"your {notice.ship} on {place} is attacked ({spoken(notice.weapon.value)})"
            return f"{attack} and takes {notice.damage} damage"
        case _:
            assert_never(notice)


def _of_truth(notice: notices.GroundOfTruth) -> str:
    return f"{notice.side}: {notice.how.upper()} {notice.owner}.{notice.piece} on the surface"


def _named(side: Side | None, kind: str | None) -> str:
    return "" if kind is None else f": side {side}, {kind}"
