"""Two readings of the surface rules, the server's and that of the paired worlds, agree."""

from collections import Counter
from collections.abc import Iterable
from random import Random
from typing import TypeGuard

import pytest

from builders.played import rig
from builders.scenarios import scenarios
from second_reading.ground import emerged, held_after_plot, is_indirect, shell_of
from second_reading.sight import maps_of, men_of
from sunglare_protocol.ids import PUBLIC
from sunglare_protocol.surface import Arm
from sunglare_protocol.words.ladder import Phase
from sunglare_server.match.events import ground
from two_worlds.parts import shells

SEEDS = range(6)
"""The seeds of the matches that are played."""

FEW_SEEDS = (2, 6)
"""Those of two matches in which all that is looked for happens."""

OFTEN = (
    ground.AttackerRevealed,
    ground.GroundShotFired,
    ground.HiddenExposed,
    ground.PieceIdentified,
    ground.TokenEnded,
    ground.TokenGained,
    ground.UnitDestroyed,
    ground.UnitLoaded,
    ground.UnitMoved,
    ground.UnitUncovered,
    ground.UnitUnloaded,
)


@pytest.mark.parametrize(
    ("name", "seeds"), [("garrison", FEW_SEEDS), ("garrison", SEEDS), ("orlog", SEEDS)]
)
def test_both_readings_agree_on_what_is_held_and_what_attacks_do(
    name: str, seeds: Iterable[int]
) -> None:
    happened: Counter[type] = Counter()
    indirect: Counter[bool] = Counter()
    for seed in seeds:
        match = rig(scenarios()[name], seed, PUBLIC)
        for before, orders, events in match.windows(Random(seed)):
            happened.update(
                type(event) for event in events if isinstance(event, ground.GroundEvent)
            )
            after = match.state.truth
            if before.standing.phase is Phase.PLOT:
                for side in after.sides:
                    held = {
                        piece: hold.identified
                        for piece, hold in after.surface.tokens_of(side).items()
                    }
                    assert held == held_after_plot(before.truth, after, orders, side)
                    assert after.surface.maps_of(side) == maps_of(after, side)
                came_out = {
                    event.piece: event.identified
                    for event in events
                    if isinstance(event, ground.UnitUncovered)
                }
                assert came_out == {
                    piece: known
                    for side in after.sides
                    for piece, known in emerged(before.truth, after, orders, side)
                }
            fired = {
                (event.piece, event.weapon, event.target): (
                    event.indirect,
                    (event.dice, event.damage),
                )
                for event in events
                if isinstance(event, ground.GroundShotFired)
            }
            indirect.update(event.indirect for event in events if _is_mortar(event))
            men = men_of(before.truth)
            assert fired == {
                shell: (
                    is_indirect(before.truth, men, shell),
                    shell_of(before.truth, before.dice, shell),
                )
                for shell in shells(before, orders)
            }
    assert name != "garrison" or not [kind for kind in OFTEN if not happened[kind]]
    assert name != "garrison" or (indirect[False] and indirect[True])


def _is_mortar(event: object) -> TypeGuard[ground.GroundShotFired]:
    return isinstance(event, ground.GroundShotFired) and event.kind is Arm.INDIRECT
