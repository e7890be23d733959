"""Fights with agents who were found in a finished match: participants, every die, the decision.

Source: search of our rule book §2, "Fight after finding". The event has the dice of the rounds;
the fight is made again from the truth before it, with the match's own dice, for those by which
agents broke off.
"""

from collections.abc import Iterator

from sunglare_arena.hindsight.moments import Moments
from sunglare_protocol.ids import Side
from sunglare_protocol.word import spoken
from sunglare_protocol.words.search import Strike
from sunglare_rules.search.fights import (
    BREAK_OFF_FIGHTING,
    BREAK_OFF_KEPT_OUT,
    POINTS_PER_WOUND,
    Die,
    Party,
    Round,
    agent_party,
    fought,
    patrol_party,
    total,
)
from sunglare_rules.search.patrols import CHART, Patrol
from sunglare_server.match.dice import Dice, Purpose
from sunglare_server.match.events.agents import FightFought, MissionTried, SearchTried
from sunglare_server.match.ids import PieceId
from sunglare_server.match.resolve.agents_scene import scene_of, units_at
from sunglare_server.match.resolve.searches import SearchPlan, speaker_of
from sunglare_server.match.truth.truth import Truth

FIGHT_RULE = "(search §2)"


def fight_lines(moments: Moments, side: Side, piece: PieceId, seed: bytes) -> Iterator[str]:
    """Yield the fights of `side` in which a foreign piece was found or sent, with their dice.

    A patrol is no piece: it is reported under the first of the troops that it came from.
    """
    speaker: PieceId | None = None
    for number, (truth, event) in enumerate(moments):
        match event:
            case MissionTried():
                speaker = event.plan.members[0]
            case SearchTried() if event.found and event.side == side and piece in event.group:
                after = [later for _, later in moments[number + 1 : number + 2]]
                if not any(isinstance(later, FightFought) for later in after):
                    yield f"found, and nobody of yours went against them {FIGHT_RULE}"
            case FightFought() if _tells(truth, event, side, piece):
                calls = [call for _, call in moments[:number] if isinstance(call, SearchTried)]
                by = speaker if calls[-1].mission is not None else None
                yield from _lines(truth, event, side, Dice(seed=seed), by)
            case _:
                pass


def _tells(truth: Truth, event: FightFought, side: Side, piece: PieceId) -> bool:
    """Return whether a side has a fight reported under this piece."""
    if side == event.side:
        return piece in event.found
    if side != event.owner:
        return False
    return piece in event.sent or piece == _home(truth, event)


def _home(truth: Truth, event: FightFought) -> PieceId | None:
    """Return the first of the troops whose soldiers a patrol had; None without a patrol."""
    qualities = ((unit.id, unit.type.quality) for unit in units_at(truth, event.side, event.site))
    fits = (
        piece
        for piece, quality in qualities
        if quality is not None and CHART[quality] is event.soldier
    )
    return next(fits, None)


def _lines(
    truth: Truth, event: FightFought, side: Side, dice: Dice, speaker: PieceId | None
) -> Iterator[str]:
    hunt = SearchPlan(
        side=event.side,
        owner=event.owner,
        site=event.site,
        strike=Strike.PATROL,
        speaker=speaker,
    )
    rolled: dict[int, int] = {}

    def roll(sides: int, index: int) -> int:
        rolled[index] = dice.roll(sides, truth.turn, Purpose.FIGHT, hunt.key, index)
        return rolled[index]

    scene = scene_of(truth)
    found = [scene.agent(piece) for piece in event.found]
    stance = speaker_of(truth, found)
    attackers = _attackers(truth, event)
    defenders = agent_party(found, stance.wounds or None)
    fight = fought(attackers, defenders, stance.fight, roll)
    ours, theirs = ("your", "their") if side == event.side else ("their", "your")
    whom = f"{ours} {_who(truth, event)}, combat {total(attackers.fighters)}"
    met = f"{theirs} {_names(truth, event.found)}, ordered to {stance.fight.value}"
    yield f"fought at {event.site.name}: {whom}, against {met} {FIGHT_RULE}"
    for number in range(len(fight.rounds) + 1):
        yield from _leaving_lines(number, rolled, theirs)
        for bout in fight.rounds[number : number + 1]:
            yield f"round {number + 1}: {_round_words(bout, ours, theirs)} {FIGHT_RULE}"
    yield f"the fight was over: {_end_words(truth, event)} {FIGHT_RULE}"


def _attackers(truth: Truth, event: FightFought) -> Party:
    if event.soldier is not None:
        return patrol_party(Patrol(event.soldier, event.soldiers))
    scene = scene_of(truth)
    own = [scene.agent(piece) for piece in event.sent]
    return agent_party(own, speaker_of(truth, own).wounds or None)


def _who(truth: Truth, event: FightFought) -> str:
    if event.soldier is None:
        return _names(truth, event.sent)
    return f"patrol of {event.soldiers} ({event.soldier.value})"


def _names(truth: Truth, agents: tuple[PieceId, ...]) -> str:
    return " and ".join(truth.agents[piece].own for piece in agents)


def _leaving_lines(number: int, rolled: dict[int, int], theirs: str) -> Iterator[str]:
    """Yield the dice by which agents tried to break off before a round."""
    tries = {
        Die.FIGHTERS_BREAK_OFF: ("fighters", BREAK_OFF_FIGHTING),
        Die.KEPT_OUT_BREAK_OFF: ("agents behind them", BREAK_OFF_KEPT_OUT),
    }
    for die, (who, most) in tries.items():
        shown = rolled.get(number * len(Die) + die)
        if shown is not None:
            did = "got away" if shown <= most else "stayed"
            needs = f"{most} at most breaks off"
            yield f"before round {number + 1} {theirs} {who} {did}: {shown}, {needs} {FIGHT_RULE}"


def _round_words(bout: Round, ours: str, theirs: str) -> str:
    hit = _blow(ours, bout.attacker_die, bout.attack, bout.defence, bout.defender_wounds)
    struck = _blow(theirs, bout.defender_die, bout.defence, bout.attack, bout.attacker_wounds)
    return f"{hit}; {struck}"


def _blow(whose: str, die: int, own: int, other: int, wounds: int) -> str:
    margin = f"{die} + {own} - {other} = {die + own - other}"
    return f"{whose} {margin}, a wound for each {POINTS_PER_WOUND} and {own} at most: {wounds}"


def _end_words(truth: Truth, event: FightFought) -> str:
    parts = [spoken(event.outcome)]
    if event.lost:
        parts.append(f"{event.lost} of the patrol fell")
    if event.fallen:
        parts.append(f"{_names(truth, event.fallen)} fell")
    if event.escaped:
        parts.append(f"{_names(truth, event.escaped)} got away")
    return "; ".join(parts)
