"""What tests of this room stand on: names that are words of one side."""

import pytest

from canary.words import Words
from sunglare_server.base.library import Library
from transport.words_of_sides import library_of


@pytest.fixture(scope="session")
def words() -> Words:
    """Give the tests words of which each is a name that nobody but one side knows."""
    return Words("road")


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory, words: Words) -> Library:
    """Give the tests a scenario in which every name is such a word."""
    return library_of(tmp_path_factory.mktemp("words"), words)
