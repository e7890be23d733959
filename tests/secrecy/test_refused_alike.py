"""Handles that are unknown, dead, another side's or true ids are refused in the same bytes."""

from collections.abc import Iterator
from random import Random

import msgspec
import pytest

from builders.matches import view_of
from builders.played import rig
from builders.questions import UNKNOWN, unheld
from builders.scenarios import scenarios
from sunglare_protocol.ids import Handle, audience_of
from sunglare_protocol.messages.commands import Question
from sunglare_protocol.orders import Fire, Order, Probe
from sunglare_protocol.orders.agents import Mission
from sunglare_protocol.views import View
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.search import MissionKind
from sunglare_rules.advice.answer import answer
from sunglare_rules.advice.check.check import check
from sunglare_rules.advice.seen.agents import free_agents
from sunglare_rules.advice.seen.lookup import ships_in_play

MATCHES = ("hunt", "siege", "garrison", "broadside", "stalk-3", "parade")


def naming(view: View, handle: Handle) -> Iterator[Order]:
    """Yield an order of every kind in which this viewer may name a handle now."""
    phase = view.stage.phase
    if phase is Phase.PLOT:
        for account in free_agents(view)[:2]:
            yield Mission(ship=account.id, kind=MissionKind.SABOTAGE, at=handle)
    if phase is Phase.DETECT:
        yield from (Probe(ship=ship.id, at=handle) for ship in ships_in_play(view)[:2])
    if phase is Phase.ENGAGE:
        arms = [(ship.id, weapon.id) for ship in ships_in_play(view) for weapon in ship.weapons]
        arms += [(unit.id, weapon.id) for unit in view.ground for weapon in unit.weapons]
        yield from (Fire(ship=piece, weapon=weapon, at=handle) for piece, weapon in arms)


def asking(view: View, handle: Handle) -> Iterator[bytes]:
    """Yield the answers to all that can be asked about a handle."""
    for kind in Question:
        yield msgspec.msgpack.encode(answer(view, kind, handle))
    for order in naming(view, handle):
        yield msgspec.msgpack.encode(answer(view, Question.ODDS, order))
        yield msgspec.msgpack.encode(answer(view, Question.REVIEW, None, (order,)))


@pytest.mark.parametrize("name", MATCHES)
def test_an_order_or_question_that_names_what_is_not_held_is_refused_in_the_same_bytes(
    name: str,
) -> None:
    compared = 0
    match, rng = rig(scenarios()[name], 5), Random(5)
    while not match.state.is_over:
        match.play(rng, 1)
        for side in match.sides:
            view = view_of(match.state, audience_of(side))
            others = unheld(match.state, audience_of(side))[-12:]
            refused = [_refusals(view, UNKNOWN), *(_refusals(view, handle) for handle in others)]
            assert all(refusal == refused[0] for refusal in refused)
            answers = [list(asking(view, handle)) for handle in (UNKNOWN, *others[:3])]
            assert all(given == answers[0] for given in answers)
            compared += len(others) * bool(refused[0])
    assert compared > 50


def _refusals(view: View, handle: Handle) -> list[bytes]:
    found = [check(view, (order,)) for order in naming(view, handle)]
    assert None not in found
    return [msgspec.msgpack.encode(refusal) for refusal in found]
