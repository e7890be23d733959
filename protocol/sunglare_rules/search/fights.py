"""The fight after agents were found: rounds, wounds, keeping out and breaking off.

Source: none, the fight rules of Freedom in the Galaxy are not at hand; OWN, search of our rule
book §2, "Fight after finding". Those who found are the attackers, those found the defenders.

A `roll` is a function from the sides of a die and its index to that die, 1 to its sides. Round r
(from 0) has the indexes 4r to 4r + 3, one for each `Die`; wounds at random take 40 and on.
"""

import enum
from collections.abc import Callable, Sequence
from typing import NamedTuple, assert_never, final

import msgspec

from sunglare_protocol.words.search import FightOutcome, FightPolicy, Soldier
from sunglare_rules.search.agents import Agent
from sunglare_rules.search.patrols import Patrol

Roll = Callable[[int, int], int]
"""A die by its sides and its index."""

ROUNDS_MOST = 10
"""OWN: a fight lasts at most this many rounds."""

SIDES = 10
"""OWN: the sides of the dice of a fight."""

POINTS_PER_WOUND = 4
"""OWN: die and margin make one wound for each of these."""

BREAK_OFF_FIGHTING = 5
"""OWN: the highest die by which those who fight break off."""

BREAK_OFF_KEPT_OUT = 8
"""OWN: the highest die by which those who are kept out break off."""

SOLDIER_COMBAT = {
    Soldier.CONSCRIPT: 1,
    Soldier.MILITIA: 1,
    Soldier.LINE: 2,
    Soldier.REGULAR: 2,
    Soldier.STORMTROOPER: 3,
    Soldier.MARINE: 4,
    Soldier.ELITE: 4,
}
"""OWN: the combat rating of each soldier of a patrol."""

SOLDIER_ENDURANCE = 1
"""OWN: the wounds that end a soldier."""


class Die(enum.IntEnum):
    """What the dice of a round are for, in the order of their indexes."""

    ATTACKER = 0
    DEFENDER = 1
    FIGHTERS_BREAK_OFF = 2
    KEPT_OUT_BREAK_OFF = 3


WOUNDS_FROM = ROUNDS_MOST * len(Die)
"""The index of the first die of a wound at random."""


@final
class Fighter(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One who takes part in a fight; out when wounds equal endurance."""

    name: str
    combat: int
    endurance: int
    wounds: int = 0

    @property
    def alive(self) -> bool:
        """Return whether the fighter can take one more wound."""
        return self.wounds < self.endurance


class Party(NamedTuple):
    """One side of a fight; if it is `ordered`, wounds fall from the first to the last."""

    fighters: tuple[Fighter, ...]
    ordered: bool


class Round(NamedTuple):
    """One round as it was: both dice, the wounds that each side took, what each fought with."""

    attacker_die: int
    defender_die: int
    attacker_wounds: int
    defender_wounds: int
    attack: int
    defence: int


@final
class Fight(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A fight that is over: its rounds, and all fighters as they left it, with all their wounds.

    `attackers` are those alive; of the defenders `standing` were still there and `escaped` broke
    off.
    """

    ending: FightOutcome
    rounds: tuple[Round, ...]
    attackers: tuple[Fighter, ...]
    attackers_fallen: tuple[Fighter, ...]
    standing: tuple[Fighter, ...]
    escaped: tuple[Fighter, ...]
    defenders_fallen: tuple[Fighter, ...]


def patrol_party(patrol: Patrol) -> Party:
    """Return the soldiers of a patrol as a party, called `1`, `2` and so on."""
    combat = SOLDIER_COMBAT[patrol.soldier]
    numbers = range(1, patrol.size + 1)
    return Party(
        tuple(
            Fighter(name=str(number), combat=combat, endurance=SOLDIER_ENDURANCE)
            for number in numbers
        ),
        ordered=True,
    )


def agent_party(group: Sequence[Agent], order: Sequence[str] | None = None) -> Party:
    """Return agents as a party, with the wounds they have.

    `order` holds names in the order in which the owner lets wounds fall; those it leaves out
    follow it. Without an order wounds fall at random.
    """
    fighters = [
        Fighter(
            name=agent.name, combat=agent.combat, endurance=agent.endurance, wounds=agent.wounds
        )
        for agent in group
    ]
    if order is not None:
        ranks = {name: rank for rank, name in enumerate(order)}
        fighters.sort(key=lambda fighter: ranks.get(fighter.name, len(ranks)))
    return Party(tuple(fighters), ordered=order is not None)


def total(fighters: Sequence[Fighter]) -> int:
    """Return the combat of all of them together."""
    return sum(fighter.combat for fighter in fighters)


def wounds_dealt(die: int, own: int, other: int) -> int:
    """Return the wounds that a side with total `own` deals to one with total `other`."""
    return min(max((die + own - other) // POINTS_PER_WOUND, 0), own)


@final
class _Melee(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A fight that goes on: who is still in it, who has left it, how many wounds were drawn."""

    attackers: Party
    defenders: Party
    escaped: tuple[Fighter, ...] = ()
    attackers_fallen: tuple[Fighter, ...] = ()
    defenders_fallen: tuple[Fighter, ...] = ()
    rounds: tuple[Round, ...] = ()
    drawn: int = 0


def fought(attackers: Party, defenders: Party, policy: FightPolicy, roll: Roll) -> Fight:
    """Return the fight of attackers against defenders who have that policy, to its end.

    All must be alive before it. The defenders may break off before each round, the first one too;
    the attackers stay.
    """
    melee = _Melee(attackers=attackers, defenders=defenders)
    while (ending := _ending(melee)) is None:
        melee = _broken_off(melee, policy, roll)
        if melee.defenders.fighters:
            melee = _round(melee, policy, roll)
    return Fight(
        ending=ending,
        rounds=melee.rounds,
        attackers=melee.attackers.fighters,
        attackers_fallen=melee.attackers_fallen,
        standing=melee.defenders.fighters,
        escaped=melee.escaped,
        defenders_fallen=melee.defenders_fallen,
    )


def _ending(melee: _Melee) -> FightOutcome | None:
    attackers, defenders = bool(melee.attackers.fighters), bool(melee.defenders.fighters)
    if not defenders and melee.escaped:
        return FightOutcome.BROKEN_OFF if attackers else FightOutcome.ATTACKERS_GONE
    match attackers, defenders:
        case False, False:
            return FightOutcome.BOTH_GONE
        case False, True:
            return FightOutcome.ATTACKERS_GONE
        case True, False:
            return FightOutcome.DEFENDERS_GONE
        case _:
            return FightOutcome.TIME if len(melee.rounds) == ROUNDS_MOST else None


def lines(
    fighters: Sequence[Fighter], policy: FightPolicy
) -> tuple[tuple[Fighter, ...], tuple[Fighter, ...]]:
    """Return which of the defenders fight now, and which are kept out.

    A screen is the one of best combat, of equals the first; when it falls, the next steps up.
    """
    match policy:
        case FightPolicy.FIGHT | FightPolicy.FLEE:
            return tuple(fighters), ()
        case FightPolicy.SCREEN:
            screen = max(fighters, key=lambda fighter: fighter.combat)
            return (screen,), tuple(fighter for fighter in fighters if fighter is not screen)
        case _:
            assert_never(policy)


def _broken_off(melee: _Melee, policy: FightPolicy, roll: Roll) -> _Melee:
    leaving = _leaving(melee, policy, roll)
    staying = tuple(fighter for fighter in melee.defenders.fighters if fighter not in leaving)
    return msgspec.structs.replace(
        melee,
        defenders=melee.defenders._replace(fighters=staying),
        escaped=(*melee.escaped, *leaving),
    )


def _leaving(melee: _Melee, policy: FightPolicy, roll: Roll) -> tuple[Fighter, ...]:
    if policy is FightPolicy.FIGHT:
        return ()
    fighting, kept_out = lines(melee.defenders.fighters, policy)
    if kept_out:
        die = roll(SIDES, _index(melee, Die.KEPT_OUT_BREAK_OFF))
        return kept_out if die <= BREAK_OFF_KEPT_OUT else ()
    # OWN: a screen holds as long as there is anybody behind it, then it tries to get away too.
    die = roll(SIDES, _index(melee, Die.FIGHTERS_BREAK_OFF))
    return fighting if die <= BREAK_OFF_FIGHTING else ()


def _index(melee: _Melee, die: Die) -> int:
    return len(melee.rounds) * len(Die) + die


def _round(melee: _Melee, policy: FightPolicy, roll: Roll) -> _Melee:
    attacker_die = roll(SIDES, _index(melee, Die.ATTACKER))
    defender_die = roll(SIDES, _index(melee, Die.DEFENDER))
    fighting, kept_out = lines(melee.defenders.fighters, policy)
    attack, defence = total(melee.attackers.fighters), total(fighting)
    to_defenders = wounds_dealt(attacker_die, attack, defence)
    to_attackers = wounds_dealt(defender_die, defence, attack)
    # Both strike at once, with what they had at the start of the round.
    front = melee.defenders._replace(fighters=fighting)
    hurt, drawn = _hurt(front, to_defenders, melee.drawn, roll)
    struck, drawn = _hurt(melee.attackers, to_attackers, drawn, roll)
    after = {fighter.name: fighter for fighter in (*hurt, *kept_out)}
    agents = [after[fighter.name] for fighter in melee.defenders.fighters]
    fought_out = Round(attacker_die, defender_die, to_attackers, to_defenders, attack, defence)
    return msgspec.structs.replace(
        melee,
        attackers=_living(melee.attackers, struck),
        defenders=_living(melee.defenders, agents),
        attackers_fallen=(*melee.attackers_fallen, *_dead(struck)),
        defenders_fallen=(*melee.defenders_fallen, *_dead(agents)),
        rounds=(*melee.rounds, fought_out),
        drawn=drawn,
    )


def _living(party: Party, fighters: Sequence[Fighter]) -> Party:
    return party._replace(fighters=tuple(fighter for fighter in fighters if fighter.alive))


def _dead(fighters: Sequence[Fighter]) -> tuple[Fighter, ...]:
    return tuple(fighter for fighter in fighters if not fighter.alive)


def _hurt(party: Party, wounds: int, drawn: int, roll: Roll) -> tuple[tuple[Fighter, ...], int]:
    """Return the fighters after so many wounds, and the count of wounds drawn at random."""
    fighters = list(party.fighters)
    for _ in range(wounds):
        places = [place for place, fighter in enumerate(fighters) if fighter.alive]
        if not places:
            break
        if party.ordered:
            place = places[0]
        else:
            place = places[roll(len(places), WOUNDS_FROM + drawn) - 1]
            drawn += 1
        hit = fighters[place]
        fighters[place] = msgspec.structs.replace(hit, wounds=hit.wounds + 1)
    return tuple(fighters), drawn
