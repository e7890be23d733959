"""What goes wrong with the workers of a run, drawn from its seed."""

import asyncio
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Protocol, final

from builders.memorytransport import Weather
from simulation.workers.engine import Fate
from simulation.workers.worker import Worker

GAP_S = (0.1, 4.0)
"""Between how many seconds pass from one fault to the next."""

DOWN_S = (0.2, 6.0)
"""Between how many seconds pass until a worker is begun again."""

AWAY_S = (0.1, 6.0)
"""How long a worker stands still or is cut off: shorter and longer than a lease lives."""

FAULTS_MOST = 8
"""How many faults a run has at most."""

STEPS_MOST = 14
"""At which step of a worker's line from now on, at most, a trap springs."""

STORM_MOST = 8
"""How many requests in a row have a fate of their own, at most."""

HARMED_MOST = 60
"""How many things on the road are harmed, at most."""

POSTS_S = (0.2, 1.5)
"""How long posts are held up before whoever sends them stands still."""

AFTER_S = (0.0, 0.6)
"""How long after another one's claim they come."""

LOOK_S, LOOKS_MOST = 0.02, 300
"""How often it is looked if there is another owner, and how many times."""

HAUNTS, HAUNT_S = 10, (0.2, 1.0)
"""How often an old owner goes on to show something, and how long it waits in between."""

APPENDS = ("before append", "after append", "at the answer to append")
"""The steps of an append."""


class Scene(Protocol):
    """What trouble is brought to."""

    def workers_now(self) -> list[Worker]:
        """Return the workers that live."""
        ...

    def owner(self) -> Worker | None:
        """Return who owns the match, as the engine has it, if that one lives."""
        ...

    def shake(self, weather: Weather) -> None:
        """Have this weather on the road."""

    def haunt(self) -> None:
        """Have an owner that is no owner any more show something that is in no record."""


@final
class Trouble:
    """Brings faults over workers, and counts them by name in `done`."""

    def __init__(self, scene: Scene, rng: Random) -> None:
        """Draw from `rng`."""
        self.done: Counter[str] = Counter()
        self._scene = scene
        self._rng = rng
        self._under_way: list[asyncio.Task[None]] = []

    async def bring(self) -> None:
        """Bring the faults of the run, each after a while, and see the last one end."""
        for _ in range(self._rng.randint(1, FAULTS_MOST)):
            await self._wait(GAP_S)
            self._strike()
            if self._rng.random() < 0.2:
                # Two at once.
                self._strike()
        if self._under_way:
            await asyncio.wait(self._under_way)

    def _strike(self) -> None:
        """Bring a fault over somebody, the owner as a rule: now, or at a step that comes."""
        rng = self._rng
        living = self._scene.workers_now()
        owner = self._scene.owner()
        if not living:
            return
        worker = owner if owner is not None and rng.random() < 0.75 else rng.choice(living)
        kinds = [
            *([self._kill] * 2),
            *([self._pause] * 3),
            *([self._part] * 2),
            self._part_line,
            self._hold_up,
            self._late_posts,
            self._haunt,
            self._haunt,
            self._contest,
            self._contest,
            self._storm,
            self._storm,
            self._leave,
            self._weather,
        ]
        fault = rng.choice(kinds)
        self.done[fault.__name__.strip("_")] += 1
        if rng.random() < 0.6:
            self._trap(worker, lambda: self._begin(fault, worker))
        else:
            self._begin(fault, worker)

    def _begin(self, fault: Callable[[Worker], object], worker: Worker) -> None:
        if not worker.is_dead and not worker.is_leaving:
            work = fault(worker)
            if asyncio.iscoroutine(work):
                self._under_way.append(asyncio.ensure_future(work))

    def _trap(self, worker: Worker, spring: Callable[[], None]) -> None:
        """Let something happen at a step of an append, or of whatever the worker asks for."""
        left = self._rng.randint(1, STEPS_MOST)
        names = self._rng.choice((APPENDS, ("append", "hold", "snapshots", "read", "room"), ("",)))

        def step(name: str) -> None:
            nonlocal left
            left -= any(one in name for one in names)
            if left <= 0:
                worker.line.on_step = lambda _: None
                # Not inside of what the engine does.
                asyncio.get_running_loop().call_soon(spring)

        worker.line.on_step = step

    def _kill(self, worker: Worker) -> None:
        worker.kill()

    async def _pause(self, worker: Worker) -> None:
        worker.place.stand_still()
        await self._wait(AWAY_S)
        if not worker.is_dead:
            worker.place.go_on()

    async def _part(self, worker: Worker) -> None:
        """Cut it off from everybody: its connections are lost, and come back."""
        worker.line.is_parted = True
        worker.carrier.inner.cut()
        await self._wait(AWAY_S)
        if not worker.is_dead:
            worker.line.heal()
            worker.carrier.inner.mend()

    async def _part_line(self, worker: Worker) -> None:
        """Cut it off from the engine alone."""
        worker.line.is_parted = True
        await self._wait(AWAY_S)
        if not worker.is_dead:
            worker.line.heal()

    async def _hold_up(self, worker: Worker) -> None:
        """Hold up what it carries, of which nothing is lost, and perhaps its line as well."""
        is_parted = self._rng.random() < 0.7
        worker.carrier.hold_up()
        worker.line.is_parted |= is_parted
        await self._wait(AWAY_S)
        if not worker.is_dead:
            worker.carrier.flow()
            if is_parted:
                worker.line.heal()

    async def _late_posts(self, worker: Worker) -> None:
        """Have its posts come after another one has taken over, for which it stands still."""
        worker.carrier.hold_posts()
        await self._wait(POSTS_S)
        worker.place.stand_still()
        for _ in range(LOOKS_MOST):
            await asyncio.sleep(LOOK_S)
            if self._scene.owner() not in (None, worker):
                break
        await self._wait(AFTER_S)
        if not worker.is_dead:
            worker.carrier.flow()
            worker.place.go_on()

    def _storm(self, worker: Worker) -> None:
        """Have its next requests go wrong: in flight, lost, unanswered, late."""
        number = self._rng.randint(1, STORM_MOST)
        kinds = self._rng.choice((tuple(Fate), (Fate.REFUSED,), (Fate.UNANSWERED, Fate.LATE)))
        worker.line.fates.extend(self._rng.choices(kinds, k=number))

    async def _leave(self, worker: Worker) -> None:
        await worker.leave()

    async def _haunt(self, worker: Worker) -> None:
        """Have an old owner go on, again and again, once another one has taken over."""
        del worker
        for _ in range(HAUNTS):
            await self._wait(HAUNT_S)
            self._scene.haunt()

    def _contest(self, worker: Worker) -> None:
        """Kill it, and have what others append first go wrong, which is their `own` as a rule."""
        for other in self._scene.workers_now():
            if other is not worker:
                # The claim goes well, and then the append does not.
                other.line.fates.extend((Fate.DONE, self._rng.choice(tuple(Fate))))
        worker.kill()

    def _weather(self, _: Worker) -> None:
        number = self._rng.randint(1, HARMED_MOST)
        self._scene.shake(Weather.of_seed(self._rng.getrandbits(32), number))

    async def _wait(self, between: tuple[float, float]) -> None:
        await asyncio.sleep(self._rng.uniform(*between))
