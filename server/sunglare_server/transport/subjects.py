"""The subjects of the transport: who may be asked what where, and where what is shown.

Every request names its asker, and an engine that knows rights lets a gateway name none but itself:
so no gateway can speak for the lines of another one.
"""

from typing import Final, final

from sunglare_protocol.ids import OMNI, PUBLIC, Audience, MatchId
from sunglare_protocol.word import Word

ANYBODY: Final = "any"
"""The word in the place of a match where any worker will do."""

WORKERS: Final = "workers"
"""The group of those of whom one answers what any worker may."""

GATEWAYS_HERE: Final = "here.gateway.*"
"""Signs of life of gateways, for workers."""

WORKERS_HERE: Final = "here.worker.*"
"""Signs of life of workers: an engine lets no gateway give one."""

ON_SHARED: Final = (PUBLIC, OMNI)
"""The feeds that may be shown to all gateways at once, under `view`; all others never are."""

EVERYBODY: Final = "*"
"""The asker where it is served."""

EVERY_MATCH: Final = MatchId("*")
"""The match where one worker answers for all there are."""


@final
class Trust(Word):
    """Who asks: `req` players' gateways, `look` spectators' gateways, `peer` other workers."""

    PLAYERS = "req"
    SPECTATORS = "look"
    WORKERS = "peer"


OF_GATEWAYS: Final = (Trust.PLAYERS, Trust.SPECTATORS)
"""What gateways have."""


def of_match(trust: Trust, match: MatchId, asker: str) -> str:
    """Return where a gateway asks the owner of a match; `*` stands for every asker."""
    return f"{trust.value}.{match}.talk.{asker}"


def of_anybody(trust: Trust, asker: str) -> str:
    """Return where a gateway asks any worker."""
    return of_match(trust, MatchId(ANYBODY), asker)


def of_worker(trust: Trust, worker: str, asker: str) -> str:
    """Return where a gateway asks one worker."""
    return f"{trust.value}.worker.{worker}.talk.{asker}"


def asker_of(subject: str) -> str:
    """Return which gateway asks: the engine lets each say its own name alone."""
    return subject.rpartition(".")[2]


def view(match: MatchId, feed: Audience) -> str:
    """Return where the released encoded messages of a feed are shown that anybody may watch."""
    return f"view.{match}.{feed}"


def line(gateway: str) -> str:
    """Return the subject of a gateway's lines, and of the feeds that only they may see."""
    return f"line.{gateway}"


def gateway_here(name: str) -> str:
    """Return where a gateway gives signs of life."""
    return f"here.gateway.{name}"


def worker_here(name: str) -> str:
    """Return where a worker gives signs of life."""
    return f"here.worker.{name}"
