"""The notice of a contact shows its signal to all, whether the option says so or not."""

from collections.abc import Iterator

from msgspec.structs import replace

from builders.plants import Real, in_place_of
from sunglare_server.match.events.space import ContactMade
from sunglare_server.match.facts.space import Grant, Sighted
from sunglare_server.match.learn import sensors as scanning
from sunglare_server.match.truth.truth import Truth


@in_place_of(scanning, "of_contact")
def plant(
    real: Real[Iterator[Grant]], event: ContactMade, before: Truth, after: Truth, *, values: bool
) -> Iterator[Grant]:
    for grant in real(event, before, after, values=values):
        is_sighted = isinstance(grant.fact, Sighted)
        fact = replace(grant.fact, signal=event.signal) if is_sighted else grant.fact
        yield Grant(grant.audience, grant.role, fact)
