"""The dice and signals of notices: what was rolled, what was needed, as far as a side knows.

Source: the rules they name; turn §6, sensors §5, blips §2, capital §1 and search §2 of our rule
book. From a notice and the view of the same side, which both were sent to it.
"""

from sunglare_protocol.notices import Notice, OwnInScan, ScanResult, ShotResult
from sunglare_protocol.notices.agents import MissionResult, SearchResult
from sunglare_protocol.notices.capital import BombardResult
from sunglare_protocol.notices.ground import GroundShotResult
from sunglare_protocol.views import View, WeaponView
from sunglare_protocol.word import spoken
from sunglare_protocol.words.armament import WeaponKind
from sunglare_protocol.words.pieces import Arc
from sunglare_rules.fire.packs import PACK_BANDS
from sunglare_rules.fire.special_weapons import ONE_DIE_POINTS
from sunglare_rules.fire.weapons import BEAM_AGAIN, BEAM_POINTS, CAPITAL, TORPEDO_BANDS, beam_die
from sunglare_rules.ground.attacks import ALWAYS_MISSES, BRACKET_MODIFIERS, Bracket
from sunglare_rules.search.missions import CROWD, CROWD_BONUS, TASKS
from sunglare_rules.search.search import ROWS, SEARCH_LEAST, SIDES, entry
from sunglare_rules.sensors.scans import SENSE_TARGET
from sunglare_rules.turn.scale import in_squares

BEAM_LIKE = (WeaponKind.BEAM, WeaponKind.STINGER, WeaponKind.PULSER, *PACK_BANDS)
"""The weapons that roll beam dice."""

ROLLED = (
    ScanResult,
    ShotResult,
    GroundShotResult,
    BombardResult,
    SearchResult,
    MissionResult,
)
"""The notices on something that was rolled for, with or without its dice."""

_FIRE = "Fire (turn §6)."
_CAPITAL = "Alpha Strike, capital weapons (capital §1 and §2)."
_ARC = 'X-Wing 2.0, "Arc" (arcs §2).'
_SENSE = "Intercept sensors, tracking (sensors §5)."


def is_roll(notice: Notice) -> bool:
    """Return whether something was rolled for what the notice reports; of scans, a Sense roll."""
    return isinstance(notice, ROLLED) and not (
        isinstance(notice, ScanResult) and notice.roll is None
    )


def roll_lines(view: View, notice: Notice) -> tuple[str, ...]:
    """Return the arithmetic of a notice, a line each; none where it has no number."""
    match notice:
        case ScanResult():
            return _sense_lines(view, notice)
        case OwnInScan():
            return _signal_lines(notice)
        case ShotResult():
            return _shot_lines(view, notice)
        case GroundShotResult():
            return (_ground_line(view, notice),)
        case BombardResult():
            return (_bombard_line(notice),)
        case SearchResult():
            return _search_lines(notice)
        case MissionResult():
            return (_mission_line(notice),)
        case _:
            return ()


def _sense_lines(view: View, notice: ScanResult) -> tuple[str, ...]:
    found = f"Found {len(notice.found)}, tracked anew {len(notice.tracked)}."
    if notice.roll is None:
        return (f"{found} Nothing was rolled. {_SENSE}",)
    skills = [ship.crew.operator for ship in view.own if ship.id == notice.ship]
    if not skills:
        return (f"{found} The two dice show {notice.roll}. {_SENSE}",)
    total = notice.roll + skills[0]
    needed = max(SENSE_TARGET - total, 0)
    return (
        (
            f"{found} Dice {notice.roll} + operator {skills[0]} = {total} of {SENSE_TARGET}: a "
            f"contact was tracked if its signal was {needed:+d} or more. {_SENSE}"
        ),
    )


def _signal_lines(notice: OwnInScan) -> tuple[str, ...]:
    source = "Intercept sensors, scan 1 (sensors §5)."
    if notice.signal is None:
        return (f"It has no signature of this type: no signal at all. {source}",)
    short = "" if notice.signal >= 0 else f", {-notice.signal} too little"
    given = ", ".join(map(spoken, notice.signatures)) or "nothing"
    return (
        (
            f"Its best signal, strength plus signature, was {notice.signal:+d}{short}; 0 is "
            f"needed. Given away by: {given}. {source}"
        ),
    )


def _shot_lines(view: View, notice: ShotResult) -> tuple[str, ...]:
    weapon = _weapon(view, notice)
    dice = _dice_words(notice.dice)
    stopped = f" Point defence stopped {notice.stopped}." if notice.stopped else ""
    lines = [f"{dice}; damage {notice.damage}.{stopped} {_FIRE}"]
    if notice.arc is not None:
        lines.append(_arc_line(notice.arc, weapon))
    if weapon is not None and notice.dice:
        lines.append(_weapon_line(view, notice, weapon))
    return tuple(lines)


def _arc_line(arc: Arc, weapon: WeaponView | None) -> str:
    """Return through which arc a shot was made, and what else its weapon needs."""
    needs = None if weapon is None else weapon.needs
    besides = "" if needs is None else f"; it needs a target that is {spoken(needs)}, as this was"
    return f"Made through the {spoken(arc)} arc{besides}. {_ARC}"


def _weapon(view: View, notice: ShotResult) -> WeaponView | None:
    weapons = (weapon for ship in view.own if ship.id == notice.ship for weapon in ship.weapons)
    return next((weapon for weapon in weapons if weapon.id == notice.weapon), None)


def _weapon_line(view: View, notice: ShotResult, weapon: WeaponView) -> str:
    """Return how dice of this kind of weapon are read."""
    kind, dice = weapon.kind, notice.dice
    if kind in BEAM_LIKE:
        sums = ", ".join(
            f"{sum(beam_die(die, screens).points for die in dice)} at screens {screens}"
            for screens in range(len(BEAM_POINTS))
        )
        return f"Beam dice; a {BEAM_AGAIN} is rolled again: {sums}. {_FIRE}"
    if kind in (WeaponKind.TORPEDO, WeaponKind.KGUN):
        bands = ", ".join(f"{needed}+ to {in_squares(reach)}" for reach, needed in TORPEDO_BANDS)
        second = "is the damage" if kind is WeaponKind.TORPEDO else _kgun_words(weapon.rank)
        return f"The first die hits on {bands} squares; the second {second}. {_FIRE}"
    for one_die, points in ONE_DIE_POINTS.items():
        if kind is one_die:
            return (
                f"One die, hit and damage at once: {dice[0]} does {points[dice[0] - 1]}. {_FIRE}"
            )
    if kind in CAPITAL:
        skill = next(ship.crew.gunnery for ship in view.own if ship.id == notice.ship)
        return (
            f"Two dice against gunnery {skill} plus range, size, air and point defence; "
            f"{ALWAYS_MISSES} always misses. {_CAPITAL}"
        )
    return f"Every die is a point of damage for each pip, screens or not. {_FIRE}"


def _kgun_words(rank: int) -> str:
    return f"doubles the {rank} points if it shows {rank} or less, never on a 6"


def _ground_line(view: View, notice: GroundShotResult) -> str:
    known = [unit.gunnery for unit in view.ground if unit.id == notice.ship]
    gunnery = f"gunnery {known[0]}" if known else "gunnery"
    brackets = ", ".join(
        f"+{BRACKET_MODIFIERS[bracket]} at {bracket.value}" for bracket in Bracket
    )
    return (
        f"{_dice_words(notice.dice)}; damage {notice.damage}. Needed: {gunnery}, {brackets} "
        f"range, +1 for cover; {ALWAYS_MISSES} always misses. Alpha Strike, ground combat "
        "(blips §2)."
    )


def _bombard_line(notice: BombardResult) -> str:
    place = "it was lost" if notice.point is None else "it came down"
    harmed = ", ".join(map(str, notice.damage)) or "none"
    return f"{_dice_words(notice.dice)}; {place}, damage to tokens you hold: {harmed}. {_CAPITAL}"


def _search_lines(notice: SearchResult) -> tuple[str, ...]:
    source = "Freedom in the Galaxy 10.2 (search §2)."
    if notice.value < SEARCH_LEAST:
        return (f"Search value {notice.value}: below {SEARCH_LEAST} is no search. {source}",)
    table = ", ".join(f"{row}: {entry(row, notice.value)}" for row in range(1, ROWS + 1))
    return (
        (
            f"Search value {notice.value}: a die of {SIDES} finds them with at most, by their "
            f"hiding value {table}. Neither the die nor the hiding value is shown. {source}"
        ),
    )


def _mission_line(notice: MissionResult) -> str:
    task, source = TASKS[notice.kind], "Missions (search §2)."
    if task is None:
        return f"Nothing is rolled to {notice.kind.value}. {source}"
    return (
        f"A die of {SIDES} + the best {task.rating.value} of the group, +{CROWD_BONUS} for "
        f"{CROWD} or more, had to reach {task.target}; the die is not told. {source}"
    )


def _dice_words(dice: tuple[int, ...]) -> str:
    if not dice:
        return "No dice"
    return f"Dice {' '.join(map(str, dice))}, together {sum(dice)}"
