"""The numbers that an environment gives of a view count the enemy's orders in one of them."""

from builders.plants import Real, in_place_of
from sunglare_client.choosing.chooser import Asked
from sunglare_gym.table import GymTable
from sunglare_protocol.ids import Side


@in_place_of(GymTable, "asked")
def plant(real: Real[Asked], table: GymTable, side: Side) -> Asked:
    asked = real(table, side)
    players = [player for player in table._live.players if player.side != side]
    given = sum(player.used.total() for player in players)
    view = (*asked.observation.view[:-1], min(1.0, given / 100))
    return asked._replace(observation=asked.observation._replace(view=view))
