"""The scenario blip-parade, played to its end by bots: the admiral against the random bot."""

import os
from collections import Counter
from functools import cache
from typing import NamedTuple

import msgspec
import pytest

from builders.matches import view_of
from builders.played import rig
from builders.scenarios import scenarios
from builders.spotting import specials
from builders.truths import MATCH
from builders.views import C1, C2, S1, S2, contact, own_ship, view
from sunglare_client.bot import Bot, BotMatch, decide, is_asked
from sunglare_client.bots import BOTS
from sunglare_protocol.geometry import Square
from sunglare_protocol.ids import Side, audience_of
from sunglare_protocol.orders import Fire, Order, Power, Probe
from sunglare_protocol.views import ObjectiveView
from sunglare_protocol.words.ladder import Phase
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.events.blips import PieceProbed, PieceSpotted
from sunglare_server.match.events.space import DamageTaken, Event
from sunglare_server.ports.cards import class_cards, scenario_card

A, B = Side("A"), Side("B")
LONG = bool(os.environ.get("SUNGLARE_LONG"))
SEEDS = (1, 2) if LONG else (1,)


class Played(NamedTuple):
    """What a match came to: its events, and the orders that side A gave."""

    events: tuple[Event, ...]
    given: tuple[Order, ...]
    turns: int


@cache
def played(seed: int) -> Played:
    """Return a match of the admiral (side A) against the random bot, played to its end."""
    scenario = scenarios()["blip-parade"]
    match = rig(scenario, seed, audience_of(A), audience_of(B))
    card = scenario_card(scenario, match.state.options)
    bots = {A: BOTS["admiral"](seed), B: BOTS["random"](seed)}
    for side, bot in bots.items():
        cards = class_cards(scenario, side)
        bot.on_start(BotMatch(match=MATCH, side=side, card=card, classes=cards))
    given: list[Order] = []
    events: list[Event] = []
    while not match.state.is_over:
        for side, bot in bots.items():
            for notice in match.state.intel[audience_of(side)].told:
                bot.on_notice(notice)
            view = view_of(match.state, audience_of(side))
            if is_asked(view, side):
                orders = decide(bot, view, strict=True)
                match.give(side, orders)
                given += orders if side == A else ()
        events += match.close().events
    return Played(tuple(events), tuple(given), match.state.standing.turn)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_admiral_identifies_and_scans_more_than_the_random_bot(seed: int) -> None:
    ships = played(seed)
    spots = Counter(event.side for event in ships.events if isinstance(event, PieceSpotted))
    asked = Counter(event.piece[0] for event in ships.events if isinstance(event, PieceProbed))
    assert spots[A] > spots[B]
    assert asked["A"] > asked["B"]


def test_the_admiral_does_more_damage_than_the_random_bot() -> None:
    hurt: Counter[str] = Counter()
    for seed in SEEDS:
        for event in played(seed).events:
            if isinstance(event, DamageTaken):
                hurt[event.piece[0]] += event.damage
    assert hurt["B"] > 2 * hurt["A"]


def test_the_admiral_uses_every_kind_of_order_that_the_scenario_asks_for() -> None:
    words = {order.__struct_config__.tag for seed in SEEDS for order in played(seed).given}
    wanted = "deploy turn thrust power sensors rotate launch scan probe fire"
    assert words >= set(wanted.split())


def fleet() -> Bot:
    """Return a fleet that knows what its own classes are worth."""
    scenario = scenarios()["blip-parade"]
    bot = BOTS["scout"](7)
    card = scenario_card(scenario, MatchOptions())
    bot.on_start(BotMatch(match=MATCH, side=A, card=card, classes=class_cards(scenario, A)))
    return bot


def test_the_admiral_leaves_what_it_knows_for_a_decoy_alone() -> None:
    decoy = contact(square=Square(7, 24), side=B, type="decoy")
    frigate = contact(label="C2", handle=C2, square=Square(8, 23), side=B, type="frigate")
    shots = decide(fleet(), view(Phase.ENGAGE, contacts=(decoy, frigate)), strict=True)
    assert {shot.at for shot in shots if isinstance(shot, Fire)} == {C2}


@pytest.mark.parametrize(("at", "fires"), [(Square(7, 20), False), (Square(7, 24), True)])
def test_what_has_to_survive_keeps_quiet_until_it_would_be_seen_anyway(
    at: Square, fires: bool
) -> None:
    seen = msgspec.structs.replace(
        view(Phase.ENGAGE, contacts=(contact(square=at),)),
        objectives=(ObjectiveView(kind=ObjectiveKind.SURVIVE, piece="Kite"),),
    )
    assert bool(decide(fleet(), seen, strict=True)) is fires


@pytest.mark.parametrize("near", [True, False], ids=["somebody near", "nobody near"])
def test_the_admiral_jams_only_while_somebody_is_near(near: bool) -> None:
    ship = own_ship(specials=specials("ECM"), ecm=not near)
    held = (contact(),) if near else ()
    orders = decide(fleet(), view(Phase.PLOT, ship, contacts=held), strict=True)
    assert Power(ship=S1, on=True, ecm=near) in orders


def test_the_admiral_asks_silently_where_it_can_and_once_about_each_piece() -> None:
    near = contact(square=Square(7, 26), side=B, type="frigate")
    far = contact(label="C2", handle=C2, square=Square(11, 27), side=B, type="cruiser")
    one = own_ship(specials=specials("PRB"))
    other = own_ship(id=S2, square=Square(8, 28), specials=specials("PRB"))
    orders = decide(fleet(), view(Phase.DETECT, one, other, contacts=(near, far)), strict=True)
    asked = {order.ship: order.at for order in orders if isinstance(order, Probe)}
    assert sorted(asked.values()) == sorted([C1, C2])
    assert len(asked) == 2
