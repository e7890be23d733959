"""The requests for data that are in reach.

Source: none of its own; whatever comes from here is looked at by `check`.
"""

from collections.abc import Iterator

from sunglare_protocol.orders import Probe
from sunglare_protocol.views import OwnView, View
from sunglare_protocol.views.ground import GroundView
from sunglare_rules.advice.check.probe import known_tokens, probe_means, token_means
from sunglare_rules.advice.seen.lookup import identified


def requests_of(view: View, asker: OwnView | GroundView) -> Iterator[Probe]:
    """Yield every request of a ship or ground unit in reach, some of which `check` may refuse.

    First those about what is held in space, then those about tokens of its map.
    """
    if isinstance(asker, OwnView):
        for target in identified(view):
            if target.handle is not None and probe_means(view, asker, target) is not None:
                yield Probe(ship=asker.id, at=target.handle)
    for token in known_tokens(view, asker):
        if token.handle is not None and token_means(view, asker, token) is not None:
            yield Probe(ship=asker.id, at=token.handle)
