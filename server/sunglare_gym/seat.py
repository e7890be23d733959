"""One seat of a match as an environment of Gymnasium, all others played by a bot."""

from typing import Any, Final, final

import gymnasium
from gymnasium import Space
from numpy.typing import NDArray

from sunglare_arena.entrants import ArenaError, bot_called
from sunglare_client.choosing.chooser import Asked, Shape
from sunglare_gym.parallel import SEED_BYTES, Info
from sunglare_gym.spaces import AnswerSpace, Arrays, as_arrays, observations
from sunglare_gym.table import GymTable, GymTerms
from sunglare_protocol.ids import Side

SEAT_ID: Final = "sunglare/Seat-v0"
"""Under this name Gymnasium makes the environment, once `sunglare_gym` is imported."""


@final
class SunglareSeat(gymnasium.Env[Arrays, NDArray[Any]]):
    """A match against a bot: a step is a window that asks this seat something.

    The windows between are played by the bots alone. A match is won at 1, lost at -1, a draw is 0.
    An answer that the mask does not allow does nothing.
    """

    metadata = {"render_modes": []}  # noqa: RUF012 - as Gymnasium has it

    def __init__(
        self,
        scenario: str = "shadow-of-ceres",
        *,
        opponent: str = "random",
        side: str | None = None,
        turns: int | None = None,
        shape: Shape | None = None,
        shaping: float = 0.0,
        render_mode: str | None = None,
    ) -> None:
        """Play a shipped scenario against a shipped bot, or against `file.py:Class`.

        Without a `side` the seats are taken in turns, match by match. `turns` and `shaping` are
        as for all seats; nothing can be rendered. Raise `ArenaError` if there is no such scenario,
        bot or side.
        """
        self._terms = GymTerms.named(scenario, turns, shape, shaping)
        bot_called(opponent)
        self._sides, self._opponent = self._terms.scenario.sides, opponent
        self._wanted, self._matches = side, 0
        self.render_mode = render_mode
        self.observation_space: Space[Arrays] = observations(self._terms.shape)
        self.action_space = AnswerSpace(self._terms.shape)
        self._table: GymTable | None = None
        self._side = self._seat()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Arrays, Info]:
        """Begin a new match and return what its first window is observed as.

        Everything follows from `seed`; without one the matches go on from the last seed.
        `options` may name a `side` for this match.
        """
        super().reset(seed=seed)
        self.close()
        if seed is not None:
            self._matches = 0
        self._side = self._seat((options or {}).get("side"))
        self._matches += 1
        others = {side: self._opponent for side in self._sides if side != self._side}
        dice = self.np_random.bytes(SEED_BYTES)
        self._table = GymTable(self._terms, dice, [self._side], others)
        self._go_on(self._table)
        return self._observed(self._table), self._info(self._table)

    def step(self, action: NDArray[Any]) -> tuple[Arrays, float, bool, bool, Info]:
        """Play a window by these answers, and those that ask nothing, up to the next one.

        Raise `RuntimeError` before the first `reset` and after the end.
        """
        table = self._table
        if table is None or table.is_over:
            raise RuntimeError("no match is being played; call reset first")
        reward = table.play({self._side: action.tolist()})[self._side]
        reward += self._go_on(table)
        return self._observed(table), reward, table.is_over, False, self._info(table)

    def asked(self) -> Asked:
        """Return what the open window asks: the view, and the orders of each candidate.

        Raise `RuntimeError` before the first `reset`.
        """
        if self._table is None:
            raise RuntimeError("no match is being played; call reset first")
        return self._table.asked(self._side)

    def action_masks(self) -> NDArray[Any]:
        """Return the mask of the open window in one row, as `MaskablePPO` asks for it."""
        mask = as_arrays(self.asked().observation, self._terms.shape)["action_mask"]
        return mask.astype(bool).ravel()

    def close(self) -> None:
        """Release the match that is being played."""
        if self._table is not None:
            self._table.close()
        self._table = None

    def _seat(self, wanted: str | None = None) -> Side:
        side = wanted or self._wanted
        if side is None:
            return self._sides[self._matches % len(self._sides)]
        if side not in self._sides:
            known = ", ".join(self._sides)
            raise ArenaError(
                f"{self._terms.scenario.name} has no side {side!r}: it is one of {known}"
            )
        return Side(side)

    def _go_on(self, table: GymTable) -> float:
        """Play the windows that ask this seat nothing, and return what they were worth."""
        worth = 0.0
        while not (table.is_over or table.asked(self._side).decisions):
            worth += table.play({})[self._side]
        return worth

    def _observed(self, table: GymTable) -> Arrays:
        return as_arrays(table.asked(self._side).observation, self._terms.shape)

    def _info(self, table: GymTable) -> Info:
        info: Info = {"window": table.asked(self._side).window, "side": str(self._side)}
        if table.is_over:
            info["winner"] = str(table.winner or "")
        return info
