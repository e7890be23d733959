"""The raider: lands, searches and fetches; how it does so depends on what its side is to do."""

from sunglare_client.bot import Bot
from sunglare_client.bots.cloak.ambush import lies_in_wait
from sunglare_client.bots.cloak.fetching import fetches
from sunglare_client.bots.collecting import Collecting
from sunglare_client.bots.delegating import Delegating
from sunglare_client.bots.espionage import Espionage
from sunglare_client.bots.ground.garrison import is_raider
from sunglare_client.bots.hunter import Hunter
from sunglare_client.bots.occupation import Occupation
from sunglare_client.bots.outcome.resignation import is_for_ground
from sunglare_protocol.views import View


class Raider(Delegating):
    """Fetches under its cloaks, steals and frees through agents, lands troops to hold ground."""

    name = "raider"

    def plays(self, view: View) -> type[Bot]:
        """Return what the objectives of the side ask for; without any a hunt."""
        return raid(view) or Hunter


def raid(view: View) -> type[Bot] | None:
    """Return what plays for the objectives of a side: to steal, to hold ground, or to collect."""
    if view.agents or is_raider(view):
        return Espionage
    if is_for_ground(view):
        return Occupation
    return Collecting if fetches(view) or lies_in_wait(view) else None
