"""Two readings agree: who answers cloaked ships that fire, and whose thrust drowns listening."""

from collections import Counter
from random import Random

from msgspec.structs import replace

from builders.cloak import TOUGH
from builders.hunts import GUNSHIP, hider
from builders.ordnance import S1, Battle
from builders.truths import A, B, C, only, ship
from second_reading.answers import answers_of
from second_reading.hunts import passives_of
from sunglare_protocol.geometry import Board, Compass, Planet, PlanetSize, Square
from sunglare_protocol.ids import PUBLIC
from sunglare_protocol.orders import Sweep
from sunglare_protocol.words.ladder import Fix, Phase
from sunglare_protocol.words.pieces import PieceKind
from sunglare_rules.advice.legal.legal import holds, shots
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.events.cloak import PassiveRolled
from sunglare_server.match.events.space import ShotFired
from sunglare_server.match.ids import PieceId
from sunglare_server.match.truth.truth import ShipTruth
from two_worlds.parts import Orders, window_of

ARMED = replace(TOUGH, name="armed", weapons=GUNSHIP.weapons)
DECOY = replace(TOUGH, name="decoy", kind=PieceKind.DECOY, weapons=())
BOARD = Board(planets=(Planet(name="P", at=Square(20, 20), size=PlanetSize.SMALL),))
B2 = PieceId("B/S2")
FIGHTS = 100


def melee(seed: int) -> Battle:
    """Return a match in DETECT: cloaked gunships among ships of two other sides, near a planet."""
    rng = Random(seed)

    def turned(one: ShipTruth) -> ShipTruth:
        return replace(one, facing=rng.choice(tuple(Compass)), thrust_used=0)

    def near() -> tuple[int, int]:
        north = rng.random() < 0.8
        return rng.randint(16, 24), rng.randint(13, 17) if north else rng.randint(23, 25)

    fight = Battle(
        turned(hider(A, 1, near(), kind=GUNSHIP)),
        turned(hider(A, 2, near(), kind=GUNSHIP)),
        turned(ship(B, 1, near(), ARMED)),
        turned(ship(B, 2, near(), DECOY)),
        turned(ship(C, 1, near(), ARMED)),
        board=BOARD,
        seed=seed.to_bytes(32, "big"),
        options=MatchOptions(clock="test", sweep_six="strict"),
    )
    fight.plot()
    return fight


def test_both_readings_agree_on_whom_held_weapons_answer() -> None:
    answered: Counter[Fix | None] = Counter()
    idle = 0
    for seed in range(FIGHTS):
        fight = melee(seed)
        sweep = (Sweep(ship=S1),)
        fight.detect({B: sweep, C: sweep} if seed % 2 else {B: sweep})
        fight.course.close_until(Phase.ENGAGE)
        before = fight.course.state
        given: Orders = {
            A: tuple({(shot.ship, shot.weapon): shot for shot in shots(fight.view(A))}.values()),
            B: tuple(holds(fight.view(B))),
            C: tuple(holds(fight.view(C))),
        }
        events = fight.engage(given)
        window = window_of(before, fight.course.state, given, PUBLIC)
        fired = {
            (shot.piece, shot.weapon, shot.target)
            for shot in only(events, ShotFired)
            if before.truth.ships[shot.target].cloaked
        }
        assert fired == set(answers_of(window))
        for piece, _, target in fired:
            side = before.truth.ships[piece].side
            answered[before.truth.hunt_fix(side, before.truth.ships[target])] += 1
        idle += len(given[B]) + len(given[C]) - len(fired)
    assert answered[None]
    assert answered[Fix.SOLUTION]
    assert idle


def test_both_readings_agree_on_who_hears_whom() -> None:
    heard = 0
    for seed in range(FIGHTS):
        fight = melee(seed)
        fight.course.close_until(Phase.DETECT)
        loud = Random(seed)
        state = fight.course.state
        ships = {
            piece: replace(
                one_ship,
                thrust_used=loud.randint(4, 8) if one_ship.cloaked else one_ship.thrust_used,
            )
            for piece, one_ship in state.truth.ships.items()
        }
        ships[B2] = replace(ships[B2], thrust_used=loud.randint(0, 4))
        before = replace(state, truth=replace(state.truth, ships=ships))
        fight.course.go_on_from(before)
        events = fight.detect()
        window = window_of(before, fight.course.state, {}, PUBLIC)
        found = {event.piece: event.found for event in only(events, PassiveRolled)}
        wanted = passives_of(window)
        assert {piece: some for piece, some in found.items() if some} == {
            piece: some for piece, some in wanted.items() if some
        }
        heard += sum(bool(some) for some in found.values())
    assert heard
