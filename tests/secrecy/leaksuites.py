"""The suites that look for leaks, each as one call: what it found, or None.

The first ones know nothing of any one leak. A trap knows the one kind that it was made for.
"""

import asyncio
import itertools
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from random import Random
from typing import Final

import pytest
from structlog.testing import capture_logs
from websockets.exceptions import ConnectionClosed

from builders import ledger as ledgerrigs
from builders.learned import grants_of
from builders.matches import Course, crowd, play
from builders.played import rig, unread
from builders.scenarios import scenarios
from canary import test_canary
from canary.grants import CanaryError
from outlets.checks import CHECKS
from outlets.feedchecks import check_feed
from outlets.feedmatrix import CLOCKS as FEED_CLOCKS
from outlets.feedmatrix import FEEDS
from outlets.feedstage import staged
from outlets.matrix import ANY, SENDS, Gives, listed_cells
from outlets.outletlists import outlet_lists
from outlets.places import places
from outlets.visit import Visit
from second_reading.due import MisgrantedError
from secrecy import test_refused_alike
from secrecy.betweenbeats import between_beats
from secrecy.guessedsecrets import guessed_secrets
from secrecy.ordercosts import CostError, order_costs
from secrecy.pongs import pongs_on_the_grid
from secrecy.servedworlds import CLOCKS, served_worlds
from secrecy.webhooktimes import webhook_times
from sunglare_protocol.ids import PUBLIC
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.ledger.ledger import ROWS, LedgerError
from two_worlds.course import Campaign
from two_worlds.match import LeakError
from two_worlds.twistsofconsequences import CONSEQUENCES
from two_worlds.twistsofconsequences import PLAYED as FOUGHT

PAIRS_MOST: Final = 1_500
"""How many pairs of worlds are compared before the search is given up."""

CONSEQUENCES_MOST: Final = 300
"""How many pairs of worlds that differ in consequences are compared."""

COURSE: Final = 6
"""The seed of these pairs. All leaks that pairs find are found within some 200 of them."""

PLAYED: Final = ("melee", "broadside", "parade", "gunnery", "stalk-3")
"""The scenarios of these pairs: small ones in which most kinds of things happen."""

ON_THE_GROUND: Final = ("siege", "garrison", "hunt")
"""Those of pairs on the surfaces of planets."""

CANARY_WINDOWS: Final = 10
"""How many windows of a match the ears of the canary hear."""

Suite = Callable[[Path], str | None]
"""Looks for leaks, with a folder to write in; returns what it found, or None."""


def looks_for(
    *leaks: type[Exception], beside: tuple[type[Exception], ...] = ()
) -> Callable[[Callable[[Path], object]], Suite]:
    """Return what makes a suite of a search: of what it raises these are found.

    What stands beside them brings a search to its end in another way, and is found elsewhere.
    """

    def suite_of(search: Callable[[Path], object]) -> Suite:
        @wraps(search)
        def suite(folder: Path) -> str | None:
            try:
                search(folder)
            except leaks as leak:
                return f"{type(leak).__name__}: {leak}"
            except beside:
                return None
            return None

        return suite

    return suite_of


STOPPED: Final = (TimeoutError, ConnectionClosed)
"""What a talk ends with that the leak has brought to a stop."""


@looks_for(LeakError, beside=(LedgerError,))
def two_worlds(_folder: Path) -> None:
    """Compare paired matches; see `match`."""
    Campaign(COURSE, PLAYED).run(10**9, pairs_most=PAIRS_MOST)


@looks_for(LeakError, beside=STOPPED)
def served(folder: Path) -> None:
    """Compare what two servers send whose hidden fleets differ; see `servedworlds`."""
    for clock in CLOCKS:
        asyncio.run(served_worlds(folder, clock))


@looks_for(LeakError, beside=(LedgerError,))
def consequences(_folder: Path) -> None:
    """Compare paired matches in which something else has come of things; see `match`."""
    Campaign(COURSE, FOUGHT, CONSEQUENCES).run(10**9, pairs_most=CONSEQUENCES_MOST)


@looks_for(LeakError, beside=(LedgerError,))
def two_worlds_on_the_ground(_folder: Path) -> None:
    """Compare paired matches on the surfaces of planets; see `match`."""
    Campaign(3, ON_THE_GROUND).run(10**9, pairs_most=PAIRS_MOST)


@looks_for(LeakError, beside=STOPPED)
def between_the_beats(folder: Path) -> None:
    """Ask between the close of a window and its beat; see `betweenbeats`."""
    asyncio.run(between_beats(folder))


@looks_for(LeakError, beside=STOPPED)
def pongs(folder: Path) -> None:
    """Hold the times of pongs against their grid; see `pongs`."""
    asyncio.run(pongs_on_the_grid(folder))


@looks_for(LeakError, beside=STOPPED)
def webhooks(folder: Path) -> None:
    """Hold the times at which webhooks ring against what they wait for; see `webhooktimes`."""
    asyncio.run(webhook_times(folder))


@looks_for(LeakError)
def guesses(folder: Path) -> None:
    """Guess secrets and compare the refusals; see `guessedsecrets`."""
    asyncio.run(guessed_secrets(folder))


@looks_for(CostError)
def costs(_folder: Path) -> None:
    """Look at what orders cost; see `ordercosts`."""
    order_costs()


@looks_for(CanaryError)
def canary(folder: Path) -> None:
    """Listen at every outlet for names, numbers and keys; see `ears`."""
    asyncio.run(test_canary.played(folder, "parade", CANARY_WINDOWS, 0))


@looks_for(AssertionError, beside=STOPPED)
def outlet_matrix(folder: Path) -> None:
    """Try every outlet for every audience at every stage of a match; see `matrix`."""
    with capture_logs():
        asyncio.run(_try_outlets(folder))


async def _try_outlets(folder: Path) -> None:
    async with places(folder) as made:
        for (outlet, audience, stage), gives in listed_cells():
            if gives is not Gives.ABSENT:
                visit = Visit(made["plot" if stage == ANY else stage], audience, gives)
                await CHECKS[outlet](visit)
                assert {type(message) for message in visit.heard} <= set(SENDS[outlet])


@looks_for(AssertionError, beside=STOPPED)
def feed_matrix(folder: Path) -> None:
    """Watch every feed in every relation to a match, while it runs; see `feedmatrix`."""
    asyncio.run(_watch_feeds(folder))


async def _watch_feeds(folder: Path) -> None:
    for clock in FEED_CLOCKS:
        (folder / clock).mkdir()
        async with staged(folder / clock, clock, "running") as stage:
            for feed in FEEDS:
                await check_feed(stage, "running", feed)


@looks_for(AssertionError, beside=STOPPED)
def outlet_list(folder: Path) -> None:
    """Hold every outlet against the complete list of what it may say; see `outletlists`."""
    asyncio.run(outlet_lists(folder))


def ledger(_folder: Path) -> str | None:
    """Check what every event lets everybody learn against the rows of the ledger."""
    try:
        course = play(Course(crowd(3, 2), MatchOptions(clock="test")), 3, 60)
        told = {ledgerrigs.key_of_grant(event, grant) for event, grant in grants_of(course)}
        unruly = sorted(ledgerrigs.unruly(ROWS, ledgerrigs.by_hand() | told))
    except LedgerError as error:
        return str(error)
    return f"no row for {unruly[0]}" if unruly else None


@looks_for(MisgrantedError, beside=(LedgerError,))
def ledger_roles(_folder: Path) -> None:
    """Hold what is granted in random matches against the second reading; see `due`."""
    for seed, name in itertools.product(range(3, 9), PLAYED):
        rig(scenarios()[name], seed, PUBLIC).play(Random(seed), 60)


@looks_for(AssertionError)
def refused_alike(_folder: Path) -> None:
    """Set the trap for refusals that tell one handle that is not held from another."""
    test = "test_an_order_or_question_that_names_what_is_not_held_is_refused_in_the_same_bytes"
    getattr(test_refused_alike, test)("parade")


GENERAL: Final[dict[str, Suite]] = {
    "two worlds": two_worlds,
    "two worlds on the ground": two_worlds_on_the_ground,
    "consequences": consequences,
    "served worlds": served,
    "between beats": between_the_beats,
    "pongs": pongs,
    "webhooks": webhooks,
    "guesses": guesses,
    "costs": costs,
    "canary": canary,
    "outlet matrix": outlet_matrix,
    "feed matrix": feed_matrix,
    "outlet lists": outlet_list,
    "ledger": ledger,
    "ledger roles": ledger_roles,
}
"""The suites that are made for no one kind of leak."""

TRAPS: Final[dict[str, Suite]] = {"refused alike": refused_alike}
"""Tests of one kind of leak, named after what they say."""

SUITES: Final[dict[str, Suite]] = {**GENERAL, **TRAPS}


def found_by(suite: str, leak: Callable[[pytest.MonkeyPatch], None], folder: Path) -> str | None:
    """Return what a suite finds while a leak is planted, which is taken out again.

    It finds it by itself: the second reading of the ledger is asked by one of the suites alone.
    """
    with pytest.MonkeyPatch.context() as patch:
        leak(patch)
        if SUITES[suite] is not ledger_roles:
            unread(patch)
        return SUITES[suite](folder)
