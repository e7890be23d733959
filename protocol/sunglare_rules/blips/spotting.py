"""Spotting: what turns a blip into an identified piece, by eyes, sensors, remotes or overflight.

Source: Alpha Strike, "Blip Counters"; blips of our rule book §1, §1.1 and §3.4 to §3.6. Any one
way suffices; nothing depends on the order in which spotters are asked.
"""

from typing import NamedTuple

from sunglare_protocol.word import Word
from sunglare_protocol.words.specials import Special, Specials
from sunglare_rules.blips.ecm import ECM_TIER, NO_TIER
from sunglare_rules.turn.metric import Span

SENSOR_INCHES = 10
"""How far electronic sensors without a probe reach (S1)."""

PROBE_INCHES: dict[Special, int] = {
    Special.LPRB: 12,
    Special.WAT: 12,
    Special.PRB: 18,
    Special.NOVA: 18,
    Special.BH: 26,
}
"""How far sensors with a probe reach (S1)."""

REMOTE_SEEING_INCHES = 20
"""How far a remote sensor identifies what it sees (R1)."""

REMOTE_HEARING_INCHES = 10
"""How far a remote sensor identifies what it does not see (R2)."""

CONTACT_INCHES = 1
"""OWN: bases this near to each other on a surface map touch; footprints come on top."""

FOOTPRINTS: dict[Special, int] = {Special.LG: 2, Special.VLG: 4, Special.SLG: 6}
"""OWN: how far across a large unit is, in inches; any other is a point."""

_STEALTH = (Special.STL, Special.MAS)


class Method(Word):
    """The ways to identify a blip, for the server's log alone."""

    VISUAL = "visual"
    SENSOR = "sensor"
    REMOTE = "remote"
    OVERFLIGHT = "overflight"


class Deed(Word):
    """What a unit does that might show what it is."""

    DIRECT = "direct"
    PHYSICAL = "physical"
    ANTI_MECH = "anti_mech"
    INDIRECT = "indirect"
    AREA = "area"
    TAG = "tag"
    SCAN = "scan"
    POINT_DEFENCE = "point_defence"


REVEALING = (Deed.DIRECT, Deed.PHYSICAL, Deed.ANTI_MECH)
"""The deeds that reveal the one who does them (SR1); all others do not (SR2)."""


class Spotter(NamedTuple):
    """Who looks: its abilities and kind, its range of sight for this target, and its state.

    `sensors_work` is False where something switches sensor spotting off altogether.
    """

    specials: Specials = ()
    sight_inches: int = 0
    infantry: bool = False
    remote: bool = False
    operational: bool = True
    sensors_work: bool = True


class Subject(NamedTuple):
    """What is looked at: its abilities, its cover by its own side (`ecm.cover`), its state.

    Its own field is part of the cover. OWN: a jammer that is lost or switched off protects no
    unit, though the source asks only whether a unit possesses one. `hidden`: a hidden unit that
    has not moved, or a cloaked ship; nothing identifies it.
    """

    specials: Specials = ()
    cover: int = NO_TIER
    hidden: bool = False


class Sight(NamedTuple):
    """How the two lie to one another: distance, line of sight, and whether their bases touch."""

    span: Span
    los: bool
    contact: bool = False


def operational(
    *,
    alive: bool = True,
    powered: bool = True,
    needs_power: bool = True,
    cloaked: bool = False,
    mute: bool = False,
) -> bool:
    """Return whether a unit can spot, jam and scan; infantry and remotes need no power.

    `mute`: a drone that a hostile field has shut down.
    """
    return alive and (powered or not needs_power) and not cloaked and not mute


def is_stealthy(specials: Specials) -> bool:
    """Return whether stealth or mimetic armour defies sensors and scans."""
    return any(special in _STEALTH for special in specials)


def best_probe(specials: Specials, inches: dict[Special, int]) -> Special | None:
    """Return the probe that reaches farthest by the table `inches`, or None without one."""
    probes = [special for special in specials if special in inches]
    return max(probes, key=inches.__getitem__, default=None)


def visual_spot(spotter: Spotter, sight: Sight) -> bool:
    """Return whether eyes identify the target: in the line of sight, and near enough (V1)."""
    return sight.los and sight.span.within(spotter.sight_inches)


def sensor_spot(spotter: Spotter, quarry: Subject, sight: Sight) -> bool:
    """Return whether sensors identify the target; no line of sight is needed (S1 to S3, ST1).

    Stealth and Angel ECM stop them all. Ordinary ECM stops all but a Bloodhound.
    """
    if spotter.infantry or not spotter.sensors_work or is_stealthy(quarry.specials):
        return False
    tier, probe = quarry.cover, best_probe(spotter.specials, PROBE_INCHES)
    if tier > ECM_TIER or (tier == ECM_TIER and probe is not Special.BH):
        return False
    return sight.span.within(SENSOR_INCHES if probe is None else PROBE_INCHES[probe])


def remote_spot(quarry: Subject, sight: Sight) -> bool:
    """Return whether a remote sensor identifies the target (R1 to R3).

    What it sees nothing protects; a touch only stealth; from afar ECM protects as well.
    """
    if sight.los and sight.span.within(REMOTE_SEEING_INCHES):
        return True
    if is_stealthy(quarry.specials):
        return False
    if sight.contact:
        return True
    return sight.span.within(REMOTE_HEARING_INCHES) and quarry.cover == NO_TIER


def methods(spotter: Spotter, quarry: Subject, sight: Sight) -> tuple[Method, ...]:
    """Return every way in which this spotter identifies this target, none if it does not.

    A remote sensor spots in its own way and in no other.
    """
    if quarry.hidden or not spotter.operational:
        return ()
    if spotter.remote:
        return (Method.REMOTE,) if remote_spot(quarry, sight) else ()
    ways = {
        Method.VISUAL: visual_spot(spotter, sight),
        Method.SENSOR: sensor_spot(spotter, quarry, sight),
    }
    return tuple(method for method, works in ways.items() if works)


def identifies(spotter: Spotter, quarry: Subject, sight: Sight) -> bool:
    """Return whether this spotter identifies this target in any way."""
    return bool(methods(spotter, quarry, sight))


def overflight_spots(*, daylight: bool, hidden: bool) -> bool:
    """Return whether a fighter in the Central Zone identifies an enemy token below it (A1).

    Neither stealth nor ECM nor weather matters; only a hidden unit that has not moved escapes.
    """
    return daylight and not hidden


def in_base_contact(span: Span, a: Specials = (), b: Specials = ()) -> bool:
    """Return whether two units of a surface map touch: an inch, and half of each footprint."""
    return span.within(CONTACT_INCHES + half_footprint(a) + half_footprint(b))


def footprint_inches(specials: Specials) -> int:
    """Return how wide a large unit is, in inches; 0 for all others."""
    return max([FOOTPRINTS[special] for special in specials if special in FOOTPRINTS], default=0)


def half_footprint(specials: Specials) -> int:
    """Return how far a unit reaches from its centre, in inches."""
    return footprint_inches(specials) // 2


def reveals(deed: Deed) -> bool:
    """Return whether a deed shows what the unit is that does it."""
    return deed in REVEALING
