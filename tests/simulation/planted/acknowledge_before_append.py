"""A command is acknowledged before the journal has it."""

from builders.plants import in_place_of
from sunglare_protocol.refusals import Rejected
from sunglare_server.match.state import Taken
from sunglare_server.runtime.inbox import Item, Pending
from sunglare_server.runtime.runner import Runner


@in_place_of(Runner, "_take")
async def plant(_real: object, self: Runner, waiting: list[Item]) -> None:
    batch = self._batch()
    answers: list[Taken | Rejected] = []
    self._fill(batch, waiting, answers)
    asked = [item for item in waiting if isinstance(item, Pending)]
    self._answers.add(zip(asked, answers, strict=True))
    self._answers.give()
    self._taking = []
    await self._stored(batch)
