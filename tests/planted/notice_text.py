"""The notice of a contact tells its signal to all, whether the option says so or not."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from sunglare_server.match.events.space import ContactMade
from sunglare_server.match.facts.space import Grant, Sighted
from sunglare_server.match.learn import sensors as scanning
from sunglare_server.match.truth.truth import Truth

_of_contact = scanning.of_contact


def _with_signal(
    event: ContactMade, before: Truth, after: Truth, *, values: bool
) -> Iterator[Grant]:
    for grant in _of_contact(event, before, after, values=values):
        is_sighted = isinstance(grant.fact, Sighted)
        fact = replace(grant.fact, signal=event.signal) if is_sighted else grant.fact
        yield Grant(grant.audience, grant.role, fact)


def plant(patch: pytest.MonkeyPatch) -> None:
    """Plant it."""
    patch.setattr(scanning, "of_contact", _with_signal)
