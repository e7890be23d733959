"""The hypothesis profiles, what a test may ask of the machine, and what is printed of a run."""

import gc
import os
import re
import shutil
from collections.abc import Callable, Collection, Iterator
from fnmatch import translate
from functools import cache
from pathlib import Path

import pytest
import structlog
from hypothesis import HealthCheck, settings

from builders import forkserver, prometheuses
from builders.engines import MISSING, Engines, empty, running_engines, server_program
from builders.matchstore import watch_patches
from builders.memoryfolders import roomy_memory
from builders.processes import heed_interrupts
from builders.webservers import is_installed
from costs import Costs
from documents.rulesindex import COLLECTED
from halves import IS_IN_HALVES, ONE_PROCESS
from mutants import secrecyfast, shellfast
from prooftests import mark_proofs
from repeating import Repeating
from reports import OneReport
from workerexit import exit_at_once

TESTS = Path(__file__).parent

FOREIGN = TESTS / "foreign"

SAMPLE = TESTS.parent / "client" / "samples" / "typescript"

NEEDS: dict[str, tuple[Callable[[], bool], str]] = {
    "needs_tmux": (lambda: shutil.which("tmux") is not None, "tmux is not installed"),
    "needs_node": (
        lambda: shutil.which("node") is not None and (FOREIGN / "node_modules").is_dir(),
        "Node is not installed, or its package is not: npm ci --prefix tests/foreign",
    ),
    "needs_sample": (
        lambda: shutil.which("node") is not None and (SAMPLE / "node_modules").is_dir(),
        "Node or a package is not installed: npm ci --prefix client/samples/typescript",
    ),
    "needs_nginx": (lambda: is_installed("nginx"), "nginx is not installed"),
    "needs_caddy": (lambda: is_installed("caddy"), "Caddy is not installed"),
    "needs_prometheus": (prometheuses.is_there, "Prometheus is not installed"),
    "needs_litestream": (
        lambda: shutil.which("litestream") is not None,
        "Litestream is not installed",
    ),
    "needs_nats": (lambda: server_program() is not None, MISSING),
}
"""What tests may need besides the project's environment, by marker, and what is said without."""

# No deadline and no complaint about slow examples: a busy machine must not fail a true property.
settings.register_profile(
    "dev", max_examples=5, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("again", settings.get_profile("dev"), derandomize=True, print_blob=True)
settings.register_profile("many", settings.get_profile("again"), max_examples=100)
settings.register_profile("deep", settings.get_profile("dev"), max_examples=5_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))

heed_interrupts()
forkserver.install()
watch_patches()

# As the server has it: by default structlog has rich draw a stack with the locals of every frame,
# which takes half a CPU second.
structlog.configure(
    processors=[
        *structlog.get_config()["processors"][:-1],
        structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback),
    ]
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option of `make test-times`."""
    parser.addoption(
        "--test-times",
        action="store_true",
        help="print what each suite and the dearest tests cost, and keep it in .test-times/",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Measure what tests cost, print how what fails is run again, keep their folders in memory."""
    config.pluginmanager.register(Costs(config), "sunglare-costs")
    config.pluginmanager.register(Repeating(config), "sunglare-repeating")
    if hasattr(config, "workerinput"):
        config.pluginmanager.register(OneReport(), "sunglare-one-report")
        exit_at_once()
    # The order is shuffled, but no test depends on the global random generator: to reseed it three
    # times a test costs three CPU seconds of two hundred.
    if config.pluginmanager.has_plugin("randomly"):
        config.option.randomly_reset_seed = False
    if (memory := roomy_memory()) is not None:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(memory))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test that needs a program which is absent; fail it where no skip is allowed."""
    if IS_IN_HALVES and (why := ONE_PROCESS.get(item.name.partition("[")[0])):
        pytest.skip(f"of one process: {why}")
    for mark in item.iter_markers():
        is_there, missing = NEEDS.get(mark.name, (None, ""))
        if is_there is None or is_there():
            continue
        if os.environ.get("SUNGLARE_NO_SKIPS"):
            pytest.fail(missing, pytrace=False)
        pytest.skip(missing)


ENGINES: list[Engines] = []
"""The engines of all tests, as far as a test has asked for them."""


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Stop the engines where the next test needs none: idle ones cost CPU seconds all the time."""
    if ENGINES and is_of_nats(item) and not (nextitem and is_of_nats(nextitem)):
        for engines in ENGINES:
            engines.end()


def is_of_nats(item: pytest.Item) -> bool:
    """Return whether a test needs a NATS server."""
    return item.get_closest_marker("needs_nats") is not None


@pytest.fixture(scope="session")
def node_of_all() -> Iterator[Engines]:
    """Run one engine for all tests; `node` gives it to a test."""
    with running_engines(1) as engines:
        ENGINES.append(engines)
        yield engines


@pytest.fixture(scope="session")
def cluster_of_all() -> Iterator[Engines]:
    """Run a cluster of three for all tests; `cluster` gives it to a test."""
    with running_engines(3) as engines:
        ENGINES.append(engines)
        yield engines


@pytest.fixture
async def node(node_of_all: Engines) -> Engines:
    """Give a test an engine that stores nothing yet; such a test is marked `needs_nats`."""
    node_of_all.start()
    await empty(node_of_all)
    return node_of_all


@pytest.fixture
async def cluster(cluster_of_all: Engines) -> Engines:
    """Give a test a cluster that is whole and stores nothing yet; it is marked `needs_nats`."""
    cluster_of_all.start()
    await empty(cluster_of_all)
    return cluster_of_all


COLLECTOR_THRESHOLD = 10_000
"""How many new objects there must be before Python looks for garbage; its own value is 700."""


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Collect the tests without a look for garbage, and never look through them afterwards.

    All of them stay until the end: each look at so many objects costs a second. While tests run
    Python looks seldom: with its own threshold a tenth of their CPU seconds would go into it.
    """
    gc.disable()
    gc.set_threshold(COLLECTOR_THRESHOLD)
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(wrapper=True, tryfirst=True)  # before the order is shuffled
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> Iterator[None]:
    """Mark the quick tests of the secrecy core, those of the outer shell, and the proofs.

    Tests that need a NATS server come first, so that one worker runs them all, and the engines
    only as long as they do.
    """
    config.stash[COLLECTED] = tuple(item.nodeid for item in items)
    mark_proofs(items)
    for item in items:
        for marker in _groups(item.path, item.name.split("[")[0]):
            if item.get_closest_marker("slow") is None:
                item.add_marker(marker)
    done = yield
    items.sort(key=lambda item: not is_of_nats(item))
    return done


def _groups(path: Path, name: str) -> tuple[str, ...]:
    """Return the groups of quick tests that a test belongs to."""
    return tuple(marker for marker, slower in _quick(path) if name not in slower)


def _any_of(patterns: Collection[str]) -> re.Pattern[str]:
    """Return what matches a name that matches any of these patterns of a shell."""
    return re.compile("|".join(map(translate, patterns)))


QUICK = (
    ("secrecy_fast", _any_of(secrecyfast.MODULES), secrecyfast.SLOWER),
    ("shell_fast", _any_of(shellfast.MODULES), shellfast.SLOWER),
)
"""The markers of quick tests, each with its modules and the tests that are too slow for it."""


@cache
def _quick(path: Path) -> tuple[tuple[str, Collection[str]], ...]:
    """Return the groups of quick tests that a module belongs to, each with what is too slow."""
    module = path.relative_to(TESTS).with_suffix("").as_posix()
    return tuple((marker, slower) for marker, modules, slower in QUICK if modules.match(module))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the tables that tests have made, such as what the paired worlds covered."""
    for report in terminalreporter.getreports("passed"):
        for name, value in report.user_properties:
            if name == "table":
                terminalreporter.write_line(f"\n{report.nodeid}\n{value}")
