"""The limit of open files: raised to fit the connections, as far as the system allows it."""

import os
import resource
import subprocess
import sys
from collections.abc import Iterator

import pytest
from structlog.testing import capture_logs

from builders.commandlines import SOURCES
from builders.forkserver import FORKABLE
from sunglare_server.gateway.filelimit import SPARE, raise_file_limit

SOFT, HARD = resource.getrlimit(resource.RLIMIT_NOFILE)


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """Leave the limit of this process as it was."""
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (SOFT, HARD))


def test_a_limit_that_is_too_low_is_raised_to_what_the_connections_need() -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, HARD))
    raise_file_limit(100)
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == (100 + SPARE, HARD)


def test_a_limit_that_is_high_enough_is_left_alone() -> None:
    raise_file_limit(1)
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == (SOFT, HARD)


def test_where_the_system_allows_less_the_log_says_so() -> None:
    code = (
        "import resource; from sunglare_server.gateway.filelimit import raise_file_limit;"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (64, 128)); raise_file_limit(1000);"
        "assert resource.getrlimit(resource.RLIMIT_NOFILE) == (128, 128)"
    )
    done = subprocess.run(
        [sys.executable, "-c", FORKABLE + code],
        env={**os.environ, "PYTHONPATH": SOURCES},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "file_limit_too_low" in done.stdout
    assert f"needed={1000 + SPARE}" in done.stdout


def test_nothing_is_logged_where_all_is_well() -> None:
    with capture_logs() as logs:
        raise_file_limit(1)
    assert logs == []
