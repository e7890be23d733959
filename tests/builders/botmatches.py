"""Matches of bots played in process: each bot gets its view and notices, and is never refused."""

from collections import Counter
from collections.abc import Callable

from builders.matches import view_of
from builders.played import Rig, rig
from builders.scenarios import scenarios
from builders.truths import MATCH
from sunglare_client.bot import Bot, BotMatch, decide
from sunglare_client.bots import BOTS
from sunglare_client.bots.fleet import Fleet
from sunglare_client.bots.seeker import Seeker
from sunglare_protocol.ids import PUBLIC, Side, WindowId, audience_of
from sunglare_server.ports.cards import class_cards, scenario_card

PLAYERS: dict[str, type[Bot]] = BOTS | {"seeker": Seeker, "fleet": Fleet}
"""The shipped bots, and two of their parts, which play whole matches, too."""

Watch = Callable[[WindowId, Rig], None]
"""What is called after each window, with its name and the match."""


def seated(match: Rig, name: str, side: Side, bot: str, seed: int) -> Bot:
    """Return a bot that has been told of its match and side."""
    scenario = scenarios()[name]
    player = PLAYERS[bot](seed)
    card = scenario_card(scenario, match.state.options)
    classes = class_cards(scenario, side)
    player.on_start(BotMatch(match=MATCH, side=side, card=card, classes=classes))
    return player


def fought(
    name: str,
    seed: int,
    *bots: str,
    watch: Watch | None = None,
    turns_most: int | None = None,
    **options: str,
) -> tuple[Rig, Counter[tuple[str, str]]]:
    """Return a match that the bots, from side A on, have played out, and their kinds of order.

    A bot that gives an order that is refused fails the test. With `turns_most` the match is left
    after so many turns.
    """
    match, given = rig(scenarios()[name], seed, PUBLIC, **options), Counter[tuple[str, str]]()
    players = {
        side: seated(match, name, side, bot, 7 * seed + number)
        for number, (side, bot) in enumerate(zip(match.sides, bots, strict=True))
    }
    while not match.state.is_over and (
        turns_most is None or match.state.standing.turn <= turns_most
    ):
        window = match.state.standing.window
        for side, player in players.items():
            for notice in match.state.intel[audience_of(side)].told:
                player.on_notice(notice)
            if match.state.standing.takes_orders_of(side):
                orders = decide(player, view_of(match.state, audience_of(side)), strict=True)
                given.update((side, type(order).__name__) for order in orders)
                match.give(side, orders)
        match.close()
        if watch is not None:
            watch(window, match)
    return match, given
