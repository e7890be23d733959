"""The sweeper: scans where the enemy most likely is, closes in and fires its best shots."""

from sunglare_client.bots.seeker import Seeker


class Sweeper(Seeker):
    """Keeps a map of where the enemy may be; never hides, never runs."""

    name = "sweeper"
