"""A connection keeps a call through which the runner of its match can be reached."""

from builders.plants import Real, in_place_of
from sunglare_server.gateway.outbox import Outbox
from sunglare_server.runtime.runner import Runner
from sunglare_server.runtime.subscriptions import Subscriptions


@in_place_of(Subscriptions, "attach_all")
def plant(real: Real[None], self: Subscriptions, runner: Runner) -> None:
    real(self, runner)
    for seat_subscriber in self._seat_subscribers.get(runner.match, []):
        if isinstance(seat_subscriber.subscriber, Outbox):
            seat_subscriber.subscriber.access.__dict__["age"] = [lambda: runner.started_ms]
