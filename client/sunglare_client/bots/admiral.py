"""The admiral: does all that a side can be asked to do, and leads its fleet into battle."""

from sunglare_client.bot import Bot
from sunglare_client.bots.battle import BattleFleet
from sunglare_client.bots.delegating import Delegating
from sunglare_client.bots.ground.garrison import holds, is_raider
from sunglare_client.bots.invasion import Invasion
from sunglare_client.bots.raider import raid
from sunglare_protocol.views import View


class Admiral(Delegating):
    """Waits in silence behind its decoy and strikes as one; raids and invades where it is to."""

    name = "admiral"

    def plays(self, view: View) -> type[Bot]:
        """Return an invasion for a side that both holds and wants ground, a raid, or a battle."""
        if is_raider(view) and holds(view):
            return Invasion
        return raid(view) or BattleFleet
