"""The hypothesis profiles, and what a test may ask of the machine."""

import os
import shutil
from fnmatch import fnmatch
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from mutants import secrecyfast, shellfast
from prooftests import mark_proofs

TESTS = Path(__file__).parent

# No deadline and no complaint about slow examples: a busy machine must not fail a true property.
settings.register_profile(
    "dev", max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "ci", settings.get_profile("dev"), max_examples=200, derandomize=True, print_blob=True
)
settings.register_profile("again", settings.get_profile("dev"), derandomize=True, print_blob=True)
settings.register_profile("deep", settings.get_profile("dev"), max_examples=5_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test of the real terminal where tmux is absent; fail it where no skip is allowed."""
    if item.get_closest_marker("needs_tmux") is None or shutil.which("tmux") is not None:
        return
    if os.environ.get("SUNGLARE_NO_SKIPS"):
        pytest.fail("tmux is not installed", pytrace=False)
    pytest.skip("tmux is not installed")


@pytest.hookimpl(tryfirst=True)  # before the order is shuffled
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the quick tests of the secrecy core, those of the outer shell, and the proofs."""
    mark_proofs(items)
    quick = (
        ("secrecy_fast", secrecyfast.MODULES, secrecyfast.SLOWER),
        ("shell_fast", shellfast.MODULES, shellfast.SLOWER),
    )
    for item in items:
        name = item.name.split("[")[0]
        module = item.path.relative_to(TESTS).with_suffix("").as_posix()
        for marker, modules, slower in quick:
            is_reached = any(fnmatch(module, each) for each in modules)
            if is_reached and name not in slower and item.get_closest_marker("slow") is None:
                item.add_marker(marker)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the tables that tests have made, such as what the paired worlds covered."""
    for report in terminalreporter.getreports("passed"):
        for name, value in report.user_properties:
            if name == "table":
                terminalreporter.write_line(f"\n{report.nodeid}\n{value}")
