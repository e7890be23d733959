"""One match in process from its opening to its end, between bots, and what came of it."""

import hashlib
from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from functools import partial
from typing import final

import msgspec

from sunglare_arena.entrants import Game
from sunglare_arena.livematch import LiveMatch, MakeMind, Onlooker
from sunglare_arena.minds import minded
from sunglare_arena.player import Fault, Thinking
from sunglare_client.bot import Bot
from sunglare_protocol.ids import Side
from sunglare_protocol.messages.replies import Ending, Result
from sunglare_protocol.replay.notes import Note
from sunglare_server.match.data.scenario import Scenario

TRANSCRIPT_BYTES = 16
"""How long the digest of a match or of a series is."""


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
    def halves(self) -> int:
        """Return what it is worth to the first entrant: 2 won, 1 drawn, 0 lost."""
        return {0: 2, None: 1}.get(self.winner, 0)

    @property
    def is_decided_early(self) -> bool:
        """Return whether a side won before the turn limit ended the match."""
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
    `onlooker` is called with every step as it happens, and changes nothing.
    """
    with closing(LiveMatch(scenario, game, makers, think_s, onlooker)) as live:
        while not live.is_over:
            live.play_window()
        return _outcome(game, live, len(makers))


def _outcome(game: Game, live: LiveMatch, entrants: int) -> Outcome:
    used = tuple(Counter[str]() for _ in range(entrants))
    thinking = tuple(Thinking() for _ in range(entrants))
    for player in live.players:
        used[player.entrant].update(player.used)
        thinking[player.entrant].join(player.thinking)
    records = tuple(live.records)
    return Outcome(
        game=game,
        result=live.result,
        turn=live.turn,
        windows=live.windows,
        faults=tuple(fault for player in live.players for fault in player.faults),
        used=used,
        thinking=thinking,
        transcript=transcript(records),
        records=records,
        notes={player.side: player.notes for player in live.players if player.notes},
    )


def transcript(records: Iterable[bytes]) -> bytes:
    """Return a digest over the records of a match, or over the digests of matches, in order."""
    digest = hashlib.blake2b(digest_size=TRANSCRIPT_BYTES)
    for record in records:
        digest.update(len(record).to_bytes(8, "big"))
        digest.update(record)
    return digest.digest()
