"""A connection keeps a call through which the runner of its match can be reached."""

from builders.plants import Real, in_place_of
from sunglare_server.gateway.outbox import Outbox
from sunglare_server.runtime.runner import Runner
from sunglare_server.runtime.subscriptions import Listeners


@in_place_of(Listeners, "attach_all")
def plant(real: Real[None], self: Listeners, runner: Runner) -> None:
    real(self, runner)
    for sitter in self._sitters.get(runner.match, []):
        if isinstance(sitter.sink, Outbox):
            sitter.sink.access.__dict__["age"] = [lambda: runner.started_ms]
