"""A webhook is called as soon as a window waits for its account, and not at the whole minute."""

from builders.plants import Real, in_place_of
from sunglare_server.accounts.webhooks import Webhooks
from sunglare_server.base.tasks import spawn


@in_place_of(Webhooks, "note")
def plant(_real: Real[None], self: Webhooks, account: str) -> None:
    if self._post is not None:
        spawn(self._tell(account, self._post), "tell at once")
