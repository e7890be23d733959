"""Token buckets: how often something may be done, by one peer or by each of many."""

from typing import final

import msgspec

KEYS_MOST = 10_000
"""How many keys a set of buckets remembers; beyond that the quietest one is new again."""


@final
class Rate(msgspec.Struct, frozen=True, gc=False):
    """`tokens` come in every `period_ms`, up to `burst` at rest."""

    tokens: int
    period_ms: int
    burst: int


@final
class Bucket:
    """What is left of a rate; full at first."""

    __slots__ = ("_level", "_rate", "_seen_ms")

    def __init__(self, rate: Rate, now_ms: int) -> None:
        """Fill a bucket."""
        self._rate = rate
        # In tokens times the period, so that all arithmetic is whole and exact.
        self._level = rate.burst * rate.period_ms
        self._seen_ms = now_ms

    def take(self, cost: int, now_ms: int) -> int:
        """Take `cost` tokens and return 0, or take none and return in how many ms to try again.

        What costs more than a full bucket holds is given for a full one.
        """
        self._refill(now_ms)
        needed = min(cost, self._rate.burst) * self._rate.period_ms
        if needed <= self._level:
            self._level -= needed
            return 0
        return -(-(needed - self._level) // self._rate.tokens)

    def charge(self, cost: int, now_ms: int) -> None:
        """Take `cost` tokens, or whatever there is."""
        self._refill(now_ms)
        self._level = max(0, self._level - cost * self._rate.period_ms)

    def give(self, cost: int) -> None:
        """Put tokens back that were taken for nothing."""
        most = self._rate.burst * self._rate.period_ms
        self._level = min(most, self._level + cost * self._rate.period_ms)

    def _refill(self, now_ms: int) -> None:
        most = self._rate.burst * self._rate.period_ms
        self._level = min(most, self._level + (now_ms - self._seen_ms) * self._rate.tokens)
        self._seen_ms = now_ms


@final
class Buckets:
    """A bucket of the same rate for each key; of keys that a peer chooses no more are kept."""

    def __init__(self, rate: Rate, most: int = KEYS_MOST) -> None:
        """Keep at most `most` buckets."""
        self._rate = rate
        self._most = most
        self._by_key: dict[str, Bucket] = {}

    def __len__(self) -> int:
        """Return how many keys are remembered."""
        return len(self._by_key)

    def of(self, key: str, now_ms: int) -> Bucket:
        """Return the bucket of `key`; the one unused for longest gives way to a new one."""
        bucket = self._by_key.pop(key, None) or Bucket(self._rate, now_ms)
        if len(self._by_key) >= self._most:
            del self._by_key[next(iter(self._by_key))]
        self._by_key[key] = bucket
        return bucket
