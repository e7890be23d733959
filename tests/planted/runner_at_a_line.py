"""A connection keeps a call through which the runner of its match can be reached."""

from builders.plants import Real, in_place_of
from sunglare_server.host.listeners import Listeners
from sunglare_server.host.runner import Runner
from sunglare_server.net.outbox import Outbox


@in_place_of(Listeners, "attach_all")
def plant(real: Real[None], self: Listeners, runner: Runner) -> None:
    real(self, runner)
    for sitter in self._sitters.get(runner.match, []):
        if isinstance(sitter.sink, Outbox):
            sitter.sink.access.__dict__["age"] = [lambda: runner.started_ms]
