"""A match in process that goes on window by window: the server's own fold and order check."""

from collections.abc import Callable
from typing import Protocol, final

import msgspec

from sunglare_arena.entrants import Game
from sunglare_arena.invariants import broken
from sunglare_arena.minds import Mind
from sunglare_arena.player import Player
from sunglare_client.bot import BotMatch
from sunglare_client.bot_runtime.containment import counting
from sunglare_protocol.ids import Side, audience_of
from sunglare_protocol.messages.commands import GiveOrders
from sunglare_protocol.messages.replies import Result
from sunglare_protocol.orders import Order
from sunglare_protocol.refusals import Rejected
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.data.scenario import Scenario
from sunglare_server.match.frames import posted
from sunglare_server.match.record import RULES_VERSION, Opened, OrdersGiven, Resigned, Seat
from sunglare_server.match.state import MatchState, Stepped, Taken
from sunglare_server.ports.cards import class_cards, scenario_card
from sunglare_server.runtime.batch import Batch

CLOCK = "test"
"""Windows close as soon as all seats have locked."""

MakeMind = Callable[[int], Mind]
"""Makes the mind of a seat, from the seed of its bot."""

_NOW_MS = 0


class Onlooker(Protocol):
    """An observer of everything in a match, for figures of what happens in it."""

    def ordered(self, orders: tuple[Order, ...]) -> None:
        """Take in the orders of a side that were accepted in a window."""

    def happened(self, stepped: Stepped) -> None:
        """Take in a step of the match, with its true events."""


@final
class LiveMatch:
    """A match between minds, one for each entrant's seat, of which every window is played at once.

    `records` are those so far, `windows` counts the windows that were played. Close it at the end.
    """

    def __init__(
        self,
        scenario: Scenario,
        game: Game,
        makers: tuple[MakeMind, ...],
        think_s: float | None = None,
        onlooker: Onlooker | None = None,
        *,
        is_checked: bool = True,
    ) -> None:
        """Seat the entrants and show the first window.

        A decision that takes more than `think_s` seconds of processor time comes too late. With
        `is_checked` what holds in every match is looked at after each step. The `onlooker` is
        called with every step as it happens, and changes nothing.
        """
        self.players: list[Player] = []
        self.records: list[bytes] = []
        self.windows = 0
        self._game, self._onlooker, self._is_checked = game, onlooker, is_checked
        self._batch = Batch(game.match, None, 0, b"")
        self._batch.put(_opened(scenario, game), _NOW_MS)
        try:
            for side, entrant in game.seats:
                mind = makers[entrant](game.bot_seed(side))
                told = _told(scenario, game, side)
                self.players.append(Player(game.number, entrant, told, mind, think_s))
            self._hold(None)
            self._show()
        except BaseException:
            self.close()
            raise

    @property
    def is_over(self) -> bool:
        """Return whether the match has ended."""
        return self._batch.is_over

    @property
    def turn(self) -> int:
        """Return the number of the turn."""
        return self._state.standing.turn

    @property
    def result(self) -> Result:
        """Return how the match ended; raise `RuntimeError` if it has not."""
        result = self._state.result
        if result is None:
            raise RuntimeError(f"game {self._game.number} has no result")
        return result

    def play_window(self) -> None:
        """Let all sides that are asked decide, close the window and show its outcome."""
        self.windows += 1
        before = self._batch.state
        with counting():
            for player in self.players:
                if not self._batch.is_over:
                    self._answer(player)
            self._batch.close_due_windows(_NOW_MS)
            self._hold(before)
            is_shown = self._show()
        if not is_shown:
            raise RuntimeError(f"game {self._game.number}: a window waits for somebody")

    def close(self) -> None:
        """Let the minds go."""
        for player in self.players:
            player.leave()

    @property
    def _state(self) -> MatchState:
        if self._batch.state is None:
            raise RuntimeError(f"game {self._game.number} was not opened")
        return self._batch.state

    def _hold(self, before: MatchState | None) -> None:
        """Raise an error if a step since `before` has broken what holds in every match."""
        for sealed in self._batch.sealed if self._is_checked else ():
            if faults := broken(before, sealed.stepped):
                raise RuntimeError(f"game {self._game.number}: {'; '.join(faults)}")
            before = sealed.stepped.state

    def _show(self) -> bool:
        """Give every seat what it is sent since the last time; return whether that is anything."""
        sealed, self._batch.sealed = self._batch.sealed, []
        given_out = False
        for entry in sealed:
            self.records.append(entry.blob)
            if self._onlooker is not None:
                self._onlooker.happened(entry.stepped)
            given_out = given_out or bool(entry.stepped.posts)
            head = entry.head.hex()
            for player in self.players:
                audience = audience_of(player.side)
                for post in posted(self._game.match, entry.stepped, audience, head):
                    player.take(post)
        return given_out

    def _answer(self, player: Player) -> None:
        """Let a player resign, or give its orders if it is asked: if refused, the legal ones."""
        decision = player.decided()
        if decision is None:
            return
        if decision.resigns:
            self._batch.command(player.side, self.windows, Resigned(), _NOW_MS, player.shown)
            return
        given = decision.given
        answer = self._give(player, given)
        if isinstance(answer, Rejected):
            given = player.again(given, answer)
            answer = self._give(player, given)
        if isinstance(answer, Rejected):
            raise RuntimeError(f"what fits together is refused: {answer.code.value}")
        player.count(given.orders)
        if self._onlooker is not None:
            self._onlooker.ordered(given.orders)

    def _give(self, player: Player, given: GiveOrders) -> Taken | Rejected:
        body = OrdersGiven(
            window=given.window, rev=given.rev, orders=given.orders, lock=given.lock
        )
        return self._batch.command(player.side, self.windows, body, _NOW_MS, player.shown)


def options_of(scenario: Scenario) -> MatchOptions:
    """Return the options of a scenario, with the clock that waits for all seats."""
    return msgspec.convert({**scenario.data.options, "clock": CLOCK}, MatchOptions)


def _opened(scenario: Scenario, game: Game) -> Opened:
    return Opened(
        rules=RULES_VERSION,
        scenario=scenario,
        options=options_of(scenario),
        seats=tuple(Seat(side=side, account=f"entrant {entrant}") for side, entrant in game.seats),
        server_seed=game.seed,
        data_hash="none",
    )


def _told(scenario: Scenario, game: Game, side: Side) -> BotMatch:
    return BotMatch(
        match=game.match,
        side=side,
        card=scenario_card(scenario, options_of(scenario)),
        classes=class_cards(scenario, side),
    )
