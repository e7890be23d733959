"""The servers of this room: one of a test in its process, one of a module, and one of a test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from builders.servers import ServerProcess, server_process
from builders.venues import app as app
from builders.venues import venue as venue


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Run a server as a child process for all tests of a module."""
    with server_process(tmp_path_factory.mktemp("server")) as running:
        yield running


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[ServerProcess]:
    """Run a server as a child process for one test, which may stop or kill it."""
    with server_process(tmp_path) as running:
        yield running
