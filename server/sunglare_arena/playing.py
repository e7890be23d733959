"""One match in process: the server's own fold and order check, the bots called directly."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from typing import Protocol, final

import msgspec

from sunglare_arena.entrants import Game
from sunglare_arena.invariants import broken
from sunglare_arena.minds import Mind, minded
from sunglare_arena.player import Fault, Player, Thinking
from sunglare_client.bot import Bot, BotMatch
from sunglare_protocol.ids import Side, audience_of
from sunglare_protocol.messages.commands import GiveOrders
from sunglare_protocol.messages.replies import Ending, Result
from sunglare_protocol.orders import Order
from sunglare_protocol.refusals import Rejected
from sunglare_protocol.replay.notes import Note
from sunglare_server.host.batch import Batch
from sunglare_server.host.cards import class_cards, scenario_card
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.data.scenario import Scenario
from sunglare_server.match.frames import posted
from sunglare_server.match.record import RULES_VERSION, Opened, OrdersGiven, Resigned, Seat
from sunglare_server.match.state import MatchState, Stepped, Taken

OPTIONS = MatchOptions(clock="test")
"""Windows close as soon as everybody has locked."""

TRANSCRIPT_BYTES = 16
"""How long the digest of a match or of a series is."""

MakeMind = Callable[[int], Mind]
"""Makes the mind of a seat, from the seed of its bot."""

_NOW_MS = 0


class Onlooker(Protocol):
    """Somebody who looks on at everything of a match, for figures of what happens in it."""

    def ordered(self, orders: tuple[Order, ...]) -> None:
        """Take in the orders of a side that were accepted in a window."""

    def happened(self, stepped: Stepped) -> None:
        """Take in a step of the match, with its true events."""


@final
class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of a match; `used` counts the orders of each kind for each entrant.

    `transcript` is a digest over the `records`, `thinking` is each entrant's, `notes` are what
    the bot of each seat noted for itself.
    """

    game: Game
    result: Result
    turn: int
    windows: int
    faults: tuple[Fault, ...]
    used: tuple[Counter[str], ...]
    thinking: tuple[Thinking, ...]
    transcript: bytes
    records: tuple[bytes, ...]
    notes: dict[Side, tuple[Note, ...]] = {}

    @property
    def winner(self) -> int | None:
        """Return the entrant that won; None after a draw."""
        return None if self.result.winner is None else dict(self.game.seats)[self.result.winner]

    @property
    def is_decided_early(self) -> bool:
        """Return whether somebody won before the turn limit ended the match."""
        return self.result.winner is not None and self.result.ending is not Ending.TURNS


def play(scenario: Scenario, game: Game, kinds: tuple[type[Bot], ...]) -> Outcome:
    """Play a match to its end between bots of the entrants' classes, and return its outcome."""
    return played(scenario, game, tuple(partial(minded, kind) for kind in kinds))


def played(
    scenario: Scenario,
    game: Game,
    makers: tuple[MakeMind, ...],
    think_s: float | None = None,
    onlooker: Onlooker | None = None,
) -> Outcome:
    """Play a match to its end between the minds that are made, and return its outcome.

    A decision that takes more than `think_s` seconds of processor time comes too late. The
    `onlooker` is told of every step as it happens, and changes nothing.
    """
    batch = Batch(game.match, None, 0, b"")
    batch.put(_opened(scenario, game), _NOW_MS)
    players: list[Player] = []
    try:
        for side, entrant in game.seats:
            mind = makers[entrant](game.bot_seed(side))
            told = _told(scenario, game, side)
            players.append(Player(game.number, entrant, told, mind, think_s))
        return _played(game, batch, players, len(makers), onlooker)
    finally:
        for player in players:
            player.leave()


def _played(
    game: Game, batch: Batch, players: list[Player], entrants: int, onlooker: Onlooker | None
) -> Outcome:
    windows, records = 0, list[bytes]()
    _hold(game, None, batch, onlooker)
    _show(game, batch, players, records)
    while not batch.is_over:
        windows += 1
        before = batch.state
        for player in players:
            if not batch.is_over:
                _answer(batch, player, windows, onlooker)
        batch.close_due_windows(_NOW_MS)
        _hold(game, before, batch, onlooker)
        if not _show(game, batch, players, records):
            raise RuntimeError(f"game {game.number}: a window waits for somebody")
    return _outcome(batch, game, players, windows, entrants, tuple(records))


def _opened(scenario: Scenario, game: Game) -> Opened:
    return Opened(
        rules=RULES_VERSION,
        scenario=scenario,
        options=OPTIONS,
        seats=tuple(Seat(side=side, account=f"entrant {entrant}") for side, entrant in game.seats),
        server_seed=game.seed,
        data_hash="none",
    )


def _told(scenario: Scenario, game: Game, side: Side) -> BotMatch:
    return BotMatch(
        match=game.match,
        side=side,
        card=scenario_card(scenario, OPTIONS),
        classes=class_cards(scenario, side),
    )


def _hold(game: Game, before: MatchState | None, batch: Batch, onlooker: Onlooker | None) -> None:
    """Raise an error if a step since the state `before` has broken what holds in every match."""
    for sealed in batch.sealed:
        if onlooker is not None:
            onlooker.happened(sealed.stepped)
        if faults := broken(before, sealed.stepped):
            raise RuntimeError(f"game {game.number}: {'; '.join(faults)}")
        before = sealed.stepped.state


def _show(game: Game, batch: Batch, players: list[Player], records: list[bytes]) -> bool:
    """Give every seat what it is sent since the last time; return whether that is anything.

    The records that brought it about are added to `records`.
    """
    sealed, batch.sealed = batch.sealed, []
    given_out = False
    for entry in sealed:
        records.append(entry.blob)
        given_out = given_out or bool(entry.stepped.posts)
        for player in players:
            head = entry.head.hex()
            for post in posted(game.match, entry.stepped, audience_of(player.side), head):
                player.take(post)
    return given_out


def _answer(batch: Batch, player: Player, command: int, onlooker: Onlooker | None) -> None:
    """Let a player resign, or give its orders if it is asked: if refused, the legal ones."""
    decision = player.decided()
    if decision is None:
        return
    if decision.resigns:
        batch.command(player.side, command, Resigned(), _NOW_MS, player.shown)
        return
    given = decision.given
    answer = _give(batch, player, command, given)
    if isinstance(answer, Rejected):
        given = player.again(given, answer)
        answer = _give(batch, player, command, given)
    if isinstance(answer, Rejected):
        raise RuntimeError(f"what fits together is refused: {answer.code.value}")
    player.count(given.orders)
    if onlooker is not None:
        onlooker.ordered(given.orders)


def _give(batch: Batch, player: Player, command: int, given: GiveOrders) -> Taken | Rejected:
    body = OrdersGiven(window=given.window, rev=given.rev, orders=given.orders, lock=given.lock)
    return batch.command(player.side, command, body, _NOW_MS, player.shown)


def _outcome(
    batch: Batch,
    game: Game,
    players: list[Player],
    windows: int,
    entrants: int,
    records: tuple[bytes, ...],
) -> Outcome:
    state = batch.state
    if state is None or state.result is None:
        raise RuntimeError(f"game {game.number} is over without a result")
    used = tuple(Counter[str]() for _ in range(entrants))
    thinking = tuple(Thinking() for _ in range(entrants))
    for player in players:
        used[player.entrant].update(player.used)
        thinking[player.entrant].join(player.thinking)
    return Outcome(
        game=game,
        result=state.result,
        turn=state.standing.turn,
        windows=windows,
        faults=tuple(fault for player in players for fault in player.faults),
        used=used,
        thinking=thinking,
        transcript=transcript(records),
        records=records,
        notes={player.side: player.notes for player in players if player.notes},
    )


def transcript(records: Iterable[bytes]) -> bytes:
    """Return a digest over the records of a match, or over the digests of matches, in order."""
    digest = hashlib.blake2b(digest_size=TRANSCRIPT_BYTES)
    for record in records:
        digest.update(len(record).to_bytes(8, "big"))
        digest.update(record)
    return digest.digest()
