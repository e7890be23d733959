"""One match in process: the server's own fold and order check, the bots called directly."""

from collections import Counter
from typing import final

import msgspec

from sunglare_arena.entrants import Game
from sunglare_arena.invariants import broken
from sunglare_arena.player import Fault, Player
from sunglare_client.bot import Bot, BotMatch
from sunglare_protocol.ids import MatchId, Side, audience_of
from sunglare_protocol.messages.commands import GiveOrders
from sunglare_protocol.messages.replies import Ending, Result
from sunglare_protocol.refusals import Rejected
from sunglare_server.host.batch import Batch
from sunglare_server.host.cards import class_cards, scenario_card
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.data.scenario import Scenario
from sunglare_server.match.frames import posted
from sunglare_server.match.record import RULES_VERSION, Opened, OrdersGiven, Resigned, Seat
from sunglare_server.match.state import MatchState, Taken

OPTIONS = MatchOptions(clock="test")
"""Windows close as soon as everybody has locked."""

_MATCH = MatchId("arena".ljust(26, "a"))
_NOW_MS = 0


@final
class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of a match; `used` counts the orders of each kind for each entrant."""

    game: Game
    result: Result
    turn: int
    windows: int
    faults: tuple[Fault, ...]
    used: tuple[Counter[str], ...]

    @property
    def winner(self) -> int | None:
        """Return the entrant that won; None after a draw."""
        return None if self.result.winner is None else dict(self.game.seats)[self.result.winner]

    @property
    def is_decided_early(self) -> bool:
        """Return whether somebody won before the turn limit ended the match."""
        return self.result.winner is not None and self.result.ending is not Ending.TURNS


def play(scenario: Scenario, game: Game, kinds: tuple[type[Bot], ...]) -> Outcome:
    """Play a match to its end between the bots of the entrants, and return its outcome."""
    batch = Batch(_MATCH, None, 0, b"")
    batch.put(_opened(scenario, game), _NOW_MS)
    players = [_player(scenario, game, side, entrant, kinds) for side, entrant in game.seats]
    try:
        windows = _played_out(game, batch, players)
    finally:
        for player in players:
            player.close()
    return _outcome(batch, game, players, windows, len(kinds))


def _played_out(game: Game, batch: Batch, players: list[Player]) -> int:
    """Play window after window to the end, and return how many there were."""
    windows = 0
    _hold(game, None, batch)
    _show(batch, players)
    while not batch.is_over:
        windows += 1
        before = batch.state
        for player in players:
            if not batch.is_over:
                _answer(batch, player, windows)
        batch.close_due_windows(_NOW_MS)
        _hold(game, before, batch)
        if not _show(batch, players):
            raise RuntimeError(f"game {game.number}: a window waits for somebody")
    return windows


def _opened(scenario: Scenario, game: Game) -> Opened:
    return Opened(
        rules=RULES_VERSION,
        scenario=scenario,
        options=OPTIONS,
        seats=tuple(Seat(side=side, account=f"entrant {entrant}") for side, entrant in game.seats),
        server_seed=game.seed,
        data_hash="none",
    )


def _player(
    scenario: Scenario, game: Game, side: Side, entrant: int, kinds: tuple[type[Bot], ...]
) -> Player:
    told = BotMatch(
        match=_MATCH,
        side=side,
        card=scenario_card(scenario, OPTIONS),
        classes=class_cards(scenario, side),
    )
    return Player(game.number, entrant, told, kinds[entrant](game.bot_seed(side)))


def _hold(game: Game, before: MatchState | None, batch: Batch) -> None:
    """Raise an error if a step since the state `before` has broken what holds in every match."""
    for sealed in batch.sealed:
        if faults := broken(before, sealed.stepped):
            raise RuntimeError(f"game {game.number}: {'; '.join(faults)}")
        before = sealed.stepped.state


def _show(batch: Batch, players: list[Player]) -> bool:
    """Give every seat what it is sent since the last time; return whether that is anything."""
    sealed, batch.sealed = batch.sealed, []
    given_out = False
    for entry in sealed:
        given_out = given_out or bool(entry.stepped.posts)
        for player in players:
            head = entry.head.hex()
            for post in posted(_MATCH, entry.stepped, audience_of(player.side), head):
                player.take(post)
    return given_out


def _answer(batch: Batch, player: Player, command: int) -> None:
    """Let a player resign, or give its orders if it is asked: if refused, the legal ones."""
    if player.gives_up():
        batch.command(player.side, command, Resigned(), _NOW_MS, player.shown)
        return
    given = player.asked()
    if given is None:
        return
    answer = _give(batch, player, command, given)
    if isinstance(answer, Rejected):
        given = player.again(given, answer)
        answer = _give(batch, player, command, given)
    if isinstance(answer, Rejected):
        raise RuntimeError(f"what fits together is refused: {answer.code.value}")
    player.count(given.orders)


def _give(batch: Batch, player: Player, command: int, given: GiveOrders) -> Taken | Rejected:
    body = OrdersGiven(window=given.window, rev=given.rev, orders=given.orders, lock=given.lock)
    return batch.command(player.side, command, body, _NOW_MS, player.shown)


def _outcome(
    batch: Batch, game: Game, players: list[Player], windows: int, entrants: int
) -> Outcome:
    state = batch.state
    if state is None or state.result is None:
        raise RuntimeError(f"game {game.number} is over without a result")
    used = tuple(Counter[str]() for _ in range(entrants))
    for player in players:
        used[player.entrant].update(player.used)
    return Outcome(
        game=game,
        result=state.result,
        turn=state.standing.turn,
        windows=windows,
        faults=tuple(fault for player in players for fault in player.faults),
        used=used,
    )
