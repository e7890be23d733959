"""Every seat of a match as an agent of PettingZoo: a step is a window, in which all may act."""

from typing import Any, final

import numpy as np
from gymnasium import Space
from gymnasium.utils import seeding
from numpy.typing import NDArray
from pettingzoo import ParallelEnv

from sunglare_client.choosing.chooser import Asked, Shape
from sunglare_gym.spaces import AnswerSpace, Arrays, as_arrays, observations
from sunglare_gym.table import GymTable, GymTerms
from sunglare_protocol.ids import Side

SEED_BYTES = 32

Info = dict[str, Any]


@final
class SunglareParallel(ParallelEnv[str, Arrays, NDArray[Any]]):
    """A match whose seats are all steered; the agents are the sides, as in `A` and `B`.

    All agents are there until the match is over, also those that have nothing left, and each
    window is one step for all: so neither their number nor that of the steps reveals anything
    hidden. An answer that the mask does not allow does nothing.
    """

    metadata = {  # noqa: RUF012 - as PettingZoo has it
        "name": "sunglare_v0",
        "render_modes": [],
        "is_parallelizable": True,
    }
    render_mode = None

    def __init__(
        self,
        scenario: str = "shadow-of-ceres",
        *,
        turns: int | None = None,
        shape: Shape | None = None,
        shaping: float = 0.0,
    ) -> None:
        """Play a shipped scenario; `turns` replaces its turn limit.

        With `shaping` a change of an agent's standing by 1 is worth that much more. Raise
        `ArenaError` if there is no such scenario.
        """
        self._terms = GymTerms.named(scenario, turns, shape, shaping)
        self.possible_agents = [str(side) for side in self._terms.scenario.sides]
        self.agents: list[str] = []
        self.observation_spaces = {
            agent: observations(self._terms.shape) for agent in self.possible_agents
        }
        self.action_spaces = {
            agent: AnswerSpace(self._terms.shape) for agent in self.possible_agents
        }
        self._rng: np.random.Generator | None = None
        self._table: GymTable | None = None

    def observation_space(self, agent: str) -> Space[Arrays]:
        """Return the space of what an agent observes, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[NDArray[Any]]:
        """Return the space of an agent's answers, always the same object."""
        return self.action_spaces[agent]

    def reset(
        self,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002 - as PettingZoo has it
    ) -> tuple[dict[str, Arrays], dict[str, Info]]:
        """Begin a new match and return what each agent observes; `options` has no meaning.

        Everything follows from `seed`; without one the matches go on from the last seed.
        """
        self.close()
        if seed is not None or self._rng is None:
            self._rng, _ = seeding.np_random(seed)
        self.agents = list(self.possible_agents)
        sides = [Side(agent) for agent in self.agents]
        self._table = GymTable(self._terms, self._rng.bytes(SEED_BYTES), sides, {})
        return self._observed(self._table), self._infos(self._table)

    def step(
        self, actions: dict[str, NDArray[Any]]
    ) -> tuple[
        dict[str, Arrays],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, Info],
    ]:
        """Play a window by the answers of all agents; one without any does nothing.

        Raise `RuntimeError` before the first `reset` and after the end.
        """
        table = self._table
        if table is None or not self.agents:
            raise RuntimeError("no match is being played; call reset first")
        rewards = table.play({Side(name): answers.tolist() for name, answers in actions.items()})
        over = dict.fromkeys(self.agents, table.is_over)
        observed, infos = self._observed(table), self._infos(table)
        if table.is_over:
            self.agents = []
        return (
            observed,
            {str(side): reward for side, reward in rewards.items()},
            over,
            dict.fromkeys(over, False),
            infos,
        )

    def asked(self, agent: str) -> Asked:
        """Return what the open window asks an agent: its view, and the orders of each candidate.

        Raise `RuntimeError` before the first `reset`.
        """
        if self._table is None:
            raise RuntimeError("no match is being played; call reset first")
        return self._table.asked(Side(agent))

    def close(self) -> None:
        """Release the match that is being played."""
        if self._table is not None:
            self._table.close()
        self._table = None

    def _observed(self, table: GymTable) -> dict[str, Arrays]:
        return {
            agent: as_arrays(table.asked(Side(agent)).observation, self._terms.shape)
            for agent in self.agents
        }

    def _infos(self, table: GymTable) -> dict[str, Info]:
        return {agent: {"window": table.asked(Side(agent)).window} for agent in self.agents}
