"""What capital fire did and told, in sentences."""

from typing import assert_never

from sunglare_client.text.notices.blips import bearing_text
from sunglare_client.text.printable import spoken
from sunglare_protocol import notices
from sunglare_protocol.surface import Site
from sunglare_rules.ground.plane import cell_of
from sunglare_rules.turn.metric import SURFACE_UNITS


def capital_sentence(notice: notices.CapitalNotice) -> str:
    """Return a notice of capital fire as a sentence."""
    if isinstance(notice, notices.CapitalFound):
        return _found(notice)
    if isinstance(notice, notices.CapitalFared):
        return _fared(notice)
    if isinstance(notice, notices.CapitalOwn):
        return _own(notice)
    return _of_truth(notice)


def point_text(site: Site, point: notices.Point) -> str:
    """Return a point of a surface map: its cell, and east and north of the corner in inches."""
    east, north = (round(units / SURFACE_UNITS, 1) for units in point)
    return f"{site.name} {cell_of(point).name} ({east:g}, {north:g} in)"


def _found(notice: notices.CapitalFound) -> str:
    x, y = notice.square
    return f"FIGHTER {notice.label} overhead at {x},{y}: side {notice.side}, {notice.type}"


def _fared(notice: notices.CapitalFared) -> str:
    match notice:
        case notices.BombardResult():
            return _result(notice)
        case notices.BlastSeen():
            return f"capital fire comes down on {point_text(notice.site, notice.point)}"
        case _:
            assert_never(notice)


def _own(notice: notices.CapitalOwn) -> str:
    match notice:
        case notices.OwnShelled():
            met = f"; point defence spends {notice.spent}" if notice.spent else ""
            stopped = " and stops the missile" if notice.stopped else ""
            shot = (
                f"your {notice.ship} is fired at from the ground ({spoken(notice.weapon.value)})"
            )
            return f"{shot} and takes {notice.damage} damage{met}{stopped}"
        case notices.OwnBlasted():
            where = point_text(notice.site, notice.point)
            return f"your {notice.ship} takes {notice.damage} damage from a blast at {where}"
        case notices.OwnDesignated():
            where = f"{notice.site.name} {notice.cell.name}"
            return f"your {notice.ship} has its beam on {where}"
        case notices.OwnMissileSent():
            where = f"{notice.at.name} {notice.cell.name}"
            missile = f"your {notice.ship}.{notice.weapon} sends a missile to {where}"
            return f"{missile}; it lands in turn {notice.lands}"
        case notices.OwnNoticed():
            return f"your {notice.ship} notices an emission, {bearing_text(notice.bearing)}"
        case _:
            assert_never(notice)


def _of_truth(notice: notices.CapitalOfTruth) -> str:
    who = f"{notice.side}.{notice.ship}"
    match notice:
        case notices.TruthDesignated():
            return f"{who} has its beam on {notice.at.name} {notice.cell.name}"
        case notices.TruthMissile():
            where = f"{notice.at.name} {notice.cell.name}"
            return f"{who}.{notice.weapon} sends a missile to {where}, turn {notice.lands}"
        case notices.TruthBlast():
            dice = " ".join(map(str, notice.dice))
            if notice.point is None:
                return f"{who}.{notice.weapon} fires at the ground and off the map (dice {dice})"
            where = point_text(notice.site, notice.point)
            return f"{who}.{notice.weapon} strikes {where} (dice {dice})"
        case _:
            assert_never(notice)


def _result(notice: notices.BombardResult) -> str:
    shot = f"{notice.ship}.{notice.weapon}"
    dice = " ".join(map(str, notice.dice))
    if notice.point is None:
        return f"{shot} comes down off the map (dice {dice})"
    pairs = zip(notice.harmed, notice.damage, strict=True)
    harm = "".join(f"; {handle} takes {damage}" for handle, damage in pairs)
    return f"{shot} comes down on {point_text(notice.site, notice.point)} (dice {dice}){harm}"
