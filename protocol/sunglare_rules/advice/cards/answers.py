"""Why an answer to a question is as it is: the rule behind the numbers, a line each.

Source: none of its own; each line names its rule. From the answer and the asker's own view alone,
from which the answer was made.
"""

from typing import assert_never

from sunglare_protocol.messages.answers import (
    AgentPreview,
    AnswerBody,
    BombardOdds,
    Card,
    GroundOdds,
    LegalOrders,
    ListenOdds,
    MissionOdds,
    Review,
    ScanPreview,
    SearchOdds,
    SenseOdds,
    Sheet,
    ShotOdds,
    SweepOdds,
)
from sunglare_protocol.views import View
from sunglare_protocol.word import spoken
from sunglare_protocol.words.cloak import SweepSix
from sunglare_rules.capital.capital import CLASS_OF_ARM, CLASS_OF_KIND
from sunglare_rules.cloak.sweeps import STRICT_FIRST, THRESHOLDS
from sunglare_rules.ground.attacks import ALWAYS_MISSES, BRACKET_MODIFIERS, Bracket
from sunglare_rules.search.missions import CROWD, CROWD_BONUS, TASKS
from sunglare_rules.search.search import ROWS, SIDES
from sunglare_rules.sensors.scans import SENSE_TARGET

_SENSORS = "Intercept sensors, scan 1 (sensors §5)."
_FIRE = "Fire (turn §6)."
_CAPITAL = "Alpha Strike, capital weapons (capital §1 and §2)."


def why_answer(view: View, body: AnswerBody) -> Card:
    """Return by which rules an answer came about, with its numbers.

    `view` is the one from which it was answered, or a later one of the same side.
    """
    title = spoken(str(type(body).__struct_config__.tag))
    about = getattr(body, "ship", None)
    return Card(title=title if about is None else f"{title} {about}", lines=_lines(view, body))


def _lines(view: View, body: AnswerBody) -> tuple[str, ...]:
    match body:
        case LegalOrders() | Review() | Sheet() | Card():
            return (_list_line(body),)
        case ScanPreview():
            return (_strength_line(body), _squares_line(body))
        case ShotOdds():
            return _shot_lines(view, body)
        case GroundOdds():
            return (_ground_line(view, body),)
        case BombardOdds():
            return (_bombard_line(body),)
        case SenseOdds() | ListenOdds() | SweepOdds():
            return (_finding_line(view, body),)
        case SearchOdds() | MissionOdds() | AgentPreview():
            return (_agents_line(body),)
        case _:
            assert_never(body)


def _list_line(body: LegalOrders | Review | Sheet | Card) -> str:
    if isinstance(body, Card):
        return (
            f"{len(body.lines)} lines on what you have and were told; why gives the rule of each. "
            "The ladder of knowledge (turn §3)."
        )
    if isinstance(body, Review):
        return (
            f"{len(body.losses)} lost by movement or set-up, {len(body.idle)} left undone; what "
            "dice or enemies decide is no part of it. The turn (turn §4), movement (turn §5)."
        )
    if isinstance(body, Sheet):
        return (
            f"All that {body.piece} may do in this window, as far as you know; what only hidden "
            "facts forbid is taken too, and fails. The turn (turn §4)."
        )
    return (
        f"{len(body.orders)} orders that this window takes, as far as you know; what only hidden "
        "facts forbid is taken too, and fails. The turn (turn §4)."
    )


def _strength_line(body: ScanPreview) -> str:
    lost = body.strength - body.effective
    return (
        f"Strength {body.strength:+d} less {lost} for glare is {body.effective:+d}; with a "
        f"signature of {body.finds_from:+d} or more it comes to 0, a contact. {_SENSORS}"
    )


def _squares_line(body: ScanPreview) -> str:
    first, glare, well, blocked = body.candidates
    return (
        f"Everybody hears the scan and the answers: of {first} squares on which you may stand "
        f"there are {glare} left after the first, {well} and {blocked} after the others. "
        "Intercept sensors part 2 (sensors §6)."
    )


def _shot_lines(view: View, body: ShotOdds) -> tuple[str, ...]:
    mean = f"{body.mean_hundredths / 100:.2f}"
    if body.at is None:
        return (f"{mean} of damage on average in its first sweep. Fire, nova gun (turn §6).",)
    weapons = (weapon for ship in view.own if ship.id == body.ship for weapon in ship.weapons)
    kinds = [weapon.kind for weapon in weapons if weapon.id == body.weapon]
    lies = spoken(body.relation)
    bears = f"It bears: range {body.band}, target {lies}. X-Wing 2.0, arc and range (arcs §2)."
    if kinds and kinds[0] in CLASS_OF_KIND:
        return (bears, f"{mean} of damage on average, misses included. {_CAPITAL}")
    screens = "against no screens, since screens are not shown"
    return (bears, f"{mean} of damage on average, {screens}. {_FIRE}")


def _bombard_line(body: BombardOdds) -> str:
    lands = "" if body.lands is None else f" It lands in turn {body.lands}."
    return (
        f"Two dice need {body.needed}, {body.hundredths} %; with a beam on the point "
        f"{body.guided_hundredths} %. {body.damage} of damage on the point; a miss comes down "
        f"elsewhere.{lands} {_CAPITAL}"
    )


def _ground_line(view: View, body: GroundOdds) -> str:
    units = [unit for unit in view.ground if unit.id == body.ship]
    kinds = [weapon.kind for unit in units for weapon in unit.weapons if weapon.id == body.weapon]
    needs = f"Two dice need {body.needed}, {body.hundredths} %, for {body.damage} of damage"
    if kinds and kinds[0] in CLASS_OF_ARM:
        return f"{needs}; range, size and air count. {_CAPITAL}"
    gunnery = f"gunnery {units[0].gunnery}" if units else "gunnery"
    brackets = ", ".join(
        f"+{BRACKET_MODIFIERS[bracket]} at {bracket.value}" for bracket in Bracket
    )
    return (
        f"{needs}: {gunnery}, {brackets} range, +1 for cover; {ALWAYS_MISSES} always misses. "
        "Alpha Strike, ground combat (blips §2)."
    )


def _finding_line(view: View, body: SenseOdds | ListenOdds | SweepOdds) -> str:
    match body:
        case SenseOdds():
            skills = [ship.crew.operator for ship in view.own if ship.id == body.ship]
            operator = f"operator {skills[0]}" if skills else "operator"
            return (
                f"Two dice + {operator} + signal must come to {SENSE_TARGET}: "
                f"{body.hundredths[0]} % at signal 0, certain at {len(body.hundredths) - 1}. "
                "Intercept sensors, tracking (sensors §5)."
            )
        case ListenOdds():
            return _listen_line(view, body)
        case SweepOdds():
            strict = view.cloak_rules.six is SweepSix.STRICT
            most = ", ".join(
                map(str, (STRICT_FIRST if strict else THRESHOLDS[0], *THRESHOLDS[1:]))
            )
            return (
                "A die for each cloaked ship in sight, the lowest for the nearest: each is found "
                f"by {most} or less in turn, up to the first that is not. Cloak detection, active "
                "sweeps (cloak §4)."
            )
        case _:
            assert_never(body)


def _listen_line(view: View, body: ListenOdds) -> str:
    source = "Cloak detection, listening (cloak §2)."
    until = max(view.cloak_rules.jammed, view.nova_until)
    if view.stage.turn <= until:
        return (
            f"No ship hears a cloaked ship up to turn {until}: jammed space, or a nova. {source}"
        )
    return (
        f"A die below the thrust that it used, less your own {body.own}, less the {body.loudest} "
        f"of the loudest ship that you know, hears it: {body.hundredths[0]} % at thrust 1, "
        f"{body.hundredths[-1]} % at {len(body.hundredths)}. {source}"
    )


def _agents_line(body: SearchOdds | MissionOdds | AgentPreview) -> str:
    match body:
        case SearchOdds():
            return (
                f"Search value {body.value}: a die of {SIDES} finds with {body.most} % who hide "
                f"with 1 or less, with {body.least} % who hide with {ROWS} or more. Freedom in "
                "the Galaxy 10.2 (search §2)."
            )
        case MissionOdds():
            return _mission_line(body)
        case AgentPreview():
            anew = ", ".join(body.anew) or "nobody"
            return (
                f"{len(body.detected)} detected after it, {anew} anew: by troops, a shuttle, or "
                "the company of whoever is. Freedom in the Galaxy 10.1 (search §1)."
            )
        case _:
            assert_never(body)


def _mission_line(body: MissionOdds) -> str:
    task, source = TASKS[body.kind], "Missions (search §2)."
    if task is None:
        return f"Nothing is rolled to {body.kind.value}: {body.hundredths} %. {source}"
    return (
        f"A die of {SIDES} + the best {task.rating.value} of the group, +{CROWD_BONUS} for "
        f"{CROWD} or more, has to reach {task.target}: {body.hundredths} %. {source}"
    )
