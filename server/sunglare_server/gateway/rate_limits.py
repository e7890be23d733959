"""Budgets of one connection's messages: its own, its address's and its account's."""

from typing import final

from sunglare_protocol import messages
from sunglare_server.base.clock import Clock
from sunglare_server.config import Settings
from sunglare_server.gateway.token_bucket import Bucket, Buckets, Rate

SECOND_MS = 1_000
MINUTE_MS = 60_000

BURST_S = 3
"""OWN: how many seconds' worth of messages may come at once."""

HINT_STEP_MS = 250
"""Waits are given in whole steps of the beat: a finer figure would time the neighbours' doings."""

OFFENCES = Rate(1, SECOND_MS, 64)
"""OWN: how many messages over its budget a connection may send before it is closed."""

COSTS: dict[type, int] = {
    messages.ListMatches: 20,
    messages.AskLadder: 20,
    messages.QuickMatch: 5,
    messages.Create: 20,
    messages.Rematch: 20,
    messages.FetchRecord: 50,
    messages.Join: 5,
    messages.Resume: 5,
    messages.Watch: 5,
    messages.GrantFeed: 5,
    messages.RevokeFeed: 5,
    messages.Renew: 20,
    messages.SetWebhook: 5,
    messages.Report: 5,
    messages.TakeLesson: 5,
    messages.Ask: 2,
}
"""OWN: what a message counts that makes more work than others, which count one."""


@final
class Budgets:
    """The budgets of all addresses."""

    def __init__(self, settings: Settings, clock: Clock) -> None:
        """Take the rates of the settings."""
        self.clock = clock
        self.take(settings)

    def take(self, settings: Settings) -> None:
        """Count by the rates of these settings from now on, all addresses again."""
        self.per_connection = _per_second(settings.message_rate)
        self.messages = Buckets(_per_second(settings.address_rate))
        self.guesses = Buckets(_per_minute(settings.guesses))
        self.account_guesses = Buckets(_per_minute(settings.guesses))
        self.openings = Buckets(_per_minute(settings.openings))

    def of(self, key: str | None) -> "Allowance":
        """Return what a connection from the address `key` may do; None is one of our own bots."""
        return Allowance(self, key)


@final
class Allowance:
    """What one connection may do; all waits are in ms, and 0 means that it may."""

    def __init__(self, budgets: Budgets, key: str | None) -> None:
        """Begin with a full budget of its own, and with what its `address` has left."""
        now_ms = budgets.clock.now_ms()
        self._budgets = budgets
        self._clock = budgets.clock
        self.address = key
        self._own = Bucket(budgets.per_connection, now_ms)
        self._offences = Bucket(OFFENCES, now_ms)

    def message(self) -> int:
        """Count a message that came; return the wait if it is one too many."""
        if self.address is None:
            return 0
        now_ms = self._clock.now_ms()
        wait_ms = self._own.take(1, now_ms)
        if wait_ms:
            return rounded(wait_ms)
        return rounded(self._shared(self._budgets.messages).take(1, now_ms))

    def weigh(self, kind: type[messages.ClientMessage]) -> None:
        """Count what a message of a kind costs beyond one: the next ones wait for it."""
        cost = COSTS.get(kind, 1) - 1
        if self.address is not None and cost:
            now_ms = self._clock.now_ms()
            self._own.charge(cost, now_ms)
            self._shared(self._budgets.messages).charge(cost, now_ms)

    def opens(self) -> int:
        """Count a new account or match; return the wait if it is one too many."""
        return self._take(self._budgets.openings)

    def guesses(self, account: str | None = None) -> int:
        """Count a wrong secret, or one that may be; return the wait if it is one too many.

        That of an `account` counts against it as well, from whatever address it comes.
        """
        wait_ms = self._take(self._budgets.guesses)
        if wait_ms or account is None or self.address is None:
            return wait_ms
        now_ms = self._clock.now_ms()
        wait_ms = self._budgets.account_guesses.of(account, now_ms).take(1, now_ms)
        if wait_ms:
            # Others at this address have nothing to do with it.
            self._shared(self._budgets.guesses).give(1)
        return rounded(wait_ms)

    def guessed_right(self, account: str | None = None) -> None:
        """Take the last guess off the counts again."""
        if self.address is None:
            return
        self._shared(self._budgets.guesses).give(1)
        if account is not None:
            self._budgets.account_guesses.of(account, self._clock.now_ms()).give(1)

    def offends(self) -> bool:
        """Count an offence; return whether the connection has come to its end by it."""
        return self._offences.take(1, self._clock.now_ms()) > 0

    def _take(self, buckets: Buckets) -> int:
        if self.address is None:
            return 0
        return rounded(self._shared(buckets).take(1, self._clock.now_ms()))

    def _shared(self, buckets: Buckets) -> Bucket:
        return buckets.of(self.address or "", self._clock.now_ms())


def rounded(wait_ms: int) -> int:
    """Return a wait in ms as clients see it: rounded up to whole steps, so that it says less."""
    return -(-wait_ms // HINT_STEP_MS) * HINT_STEP_MS


def _per_second(tokens: int) -> Rate:
    return Rate(tokens, SECOND_MS, BURST_S * tokens)


def _per_minute(tokens: int) -> Rate:
    return Rate(tokens, MINUTE_MS, tokens)
