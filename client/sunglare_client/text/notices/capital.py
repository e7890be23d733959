"""What capital fire did and told, in sentences."""

from typing import assert_never

from sunglare_client.text.notices.blips import bearing_text
from sunglare_client.text.notices.ground import (
    ground_fared,
    ground_found,
    ground_of_truth,
    ground_own,
)
from sunglare_client.text.printable import spoken
from sunglare_protocol.notices.capital import (
    BlastSeen,
    BombardResult,
    CapitalFared,
    CapitalFound,
    CapitalOfTruth,
    CapitalOwn,
    OwnBlasted,
    OwnDesignated,
    OwnMissileSent,
    OwnNoticed,
    OwnShelled,
    Point,
    TruthBlast,
    TruthDesignated,
    TruthMissile,
)
from sunglare_protocol.notices.ground import GroundFared, GroundFound, GroundOfTruth, GroundOwn
from sunglare_protocol.surface import Site
from sunglare_rules.ground.plane import cell_of
from sunglare_rules.turn.metric import SURFACE_UNITS


def surface_found(notice: GroundFound | CapitalFound) -> str:
    """Return what own looking on and over the surface brings, as a sentence."""
    return capital_found(notice) if isinstance(notice, CapitalFound) else ground_found(notice)


def surface_fared(notice: GroundFared | CapitalFared) -> str:
    """Return what attacks at the surface did and what came down in sight, as a sentence."""
    return capital_fared(notice) if isinstance(notice, CapitalFared) else ground_fared(notice)


def surface_own(notice: GroundOwn | CapitalOwn) -> str:
    """Return what happened to an own piece on the surface or from it, as a sentence."""
    return capital_own(notice) if isinstance(notice, CapitalOwn) else ground_own(notice)


def surface_of_truth(notice: GroundOfTruth | CapitalOfTruth) -> str:
    """Return what only the truth feed is told of the surface, as a sentence."""
    if isinstance(notice, CapitalOfTruth):
        return capital_of_truth(notice)
    return ground_of_truth(notice)


def point_text(site: Site, point: Point) -> str:
    """Return a point of a surface map: its cell, and east and north of the corner in inches."""
    east, north = (round(units / SURFACE_UNITS, 1) for units in point)
    return f"{site.name} {cell_of(point).name} ({east:g}, {north:g} in)"


def capital_found(notice: CapitalFound) -> str:
    """Return what own looking brings, as a sentence."""
    x, y = notice.square
    return f"FIGHTER {notice.label} overhead at {x},{y}: side {notice.side}, {notice.type}"


def capital_fared(notice: CapitalFared) -> str:
    """Return what own fire did, or what came down in sight, as a sentence."""
    match notice:
        case BombardResult():
            return _result(notice)
        case BlastSeen():
            return f"capital fire comes down on {point_text(notice.site, notice.point)}"
        case _:
            assert_never(notice)


def capital_own(notice: CapitalOwn) -> str:
    """Return what happened to an own piece, as a sentence."""
    match notice:
        case OwnShelled():
            met = f"; point defence spends {notice.spent}" if notice.spent else ""
            stopped = " and stops the missile" if notice.stopped else ""
            shot = (
                f"your {notice.ship} is fired at from the ground ({spoken(notice.weapon.value)})"
            )
            return f"{shot} and takes {notice.damage} damage{met}{stopped}"
        case OwnBlasted():
            where = point_text(notice.site, notice.point)
            return f"your {notice.ship} takes {notice.damage} damage from a blast at {where}"
        case OwnDesignated():
            where = f"{notice.site.name} {notice.cell.name}"
            return f"your {notice.ship} has its beam on {where}"
        case OwnMissileSent():
            where = f"{notice.at.name} {notice.cell.name}"
            missile = f"your {notice.ship}.{notice.weapon} sends a missile to {where}"
            return f"{missile}; it lands in turn {notice.lands}"
        case OwnNoticed():
            return f"your {notice.ship} notices an emission, {bearing_text(notice.bearing)}"
        case _:
            assert_never(notice)


def capital_of_truth(notice: CapitalOfTruth) -> str:
    """Return what only the truth feed is told, as a sentence."""
    who = f"{notice.side}.{notice.ship}"
    match notice:
        case TruthDesignated():
            return f"{who} has its beam on {notice.at.name} {notice.cell.name}"
        case TruthMissile():
            where = f"{notice.at.name} {notice.cell.name}"
            return f"{who}.{notice.weapon} sends a missile to {where}, turn {notice.lands}"
        case TruthBlast():
            dice = " ".join(map(str, notice.dice))
            if notice.point is None:
                return f"{who}.{notice.weapon} fires at the ground and off the map (dice {dice})"
            where = point_text(notice.site, notice.point)
            return f"{who}.{notice.weapon} strikes {where} (dice {dice})"
        case _:
            assert_never(notice)


def _result(notice: BombardResult) -> str:
    shot = f"{notice.ship}.{notice.weapon}"
    dice = " ".join(map(str, notice.dice))
    if notice.point is None:
        return f"{shot} comes down off the map (dice {dice})"
    pairs = zip(notice.harmed, notice.damage, strict=True)
    harm = "".join(f"; {handle} takes {damage}" for handle, damage in pairs)
    return f"{shot} comes down on {point_text(notice.site, notice.point)} (dice {dice}){harm}"
