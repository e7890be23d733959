"""The sweeper: scans where the enemy most likely is, closes in and fires its best shots."""

from sunglare_client.bots.hunter import Hunter


class Sweeper(Hunter):
    """Keeps a map of where the enemy may be; never hides, never runs."""

    name = "sweeper"
