"""Environment steps a second: ours beside games of hidden knowledge that others have made.

A step of ours is a window, in which every seat gives the orders of all its pieces; one of theirs
is a move of one player. All play at random by their masks, and each observation is made.
"""

import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from sunglare_arena.series import tune_python

SECONDS = 3.0
"""About so long each is played, in processor time."""

THEIRS = ("dark_hex", "phantom_ttt", "kriegspiel", "leduc_poker")
"""The games of OpenSpiel: what the other holds is hidden in each."""

Steps = Iterator[None]


def ours() -> dict[str, Callable[[], Steps]]:
    """Return what plays our environments; raise `ImportError` without the extra."""
    from sunglare_gym import SunglareParallel, SunglareSeat

    def all_seats() -> Steps:
        env = SunglareParallel()
        observed, _ = env.reset(seed=0)
        while True:
            drawn = {
                agent: env.action_space(agent).sample(observed[agent]["action_mask"])
                for agent in env.agents
            }
            observed, *_ = env.step(drawn)
            yield
            if not env.agents:
                observed, _ = env.reset()

    def one_seat() -> Steps:
        env = SunglareSeat()
        observed, _ = env.reset(seed=0)
        while True:
            action = env.action_space.sample(mask=observed["action_mask"])
            observed, _, over, *_ = env.step(action)
            yield
            if over:
                observed, _ = env.reset()

    return {"Sunglare, all seats": all_seats, "Sunglare, a seat against random": one_seat}


def open_spiel() -> dict[str, Callable[[], Steps]]:
    """Return what plays the games of OpenSpiel; raise `ImportError` without it."""
    import pyspiel

    def player(name: str) -> Callable[[], Steps]:
        def moves() -> Steps:
            game, rng = pyspiel.load_game(name), Random(0)
            state = game.new_initial_state()
            while True:
                if state.is_terminal():
                    state = game.new_initial_state()
                elif state.is_chance_node():
                    state.apply_action(rng.choice(state.chance_outcomes())[0])
                else:
                    state.observation_tensor()
                    state.apply_action(rng.choice(state.legal_actions()))
                    yield

        return moves

    return {f"OpenSpiel, {name}": player(name) for name in THEIRS}


def petting_zoo() -> dict[str, Callable[[], Steps]]:
    """Return what plays a game of PettingZoo; raise `ImportError` without what that needs."""
    from pettingzoo.classic import connect_four_v3

    def moves() -> Steps:
        env: Any = connect_four_v3.raw_env()
        env.reset(seed=0)
        while True:
            observed, _, over, cut, _ = env.last()
            if over or cut:
                env.reset()
            else:
                env.step(env.action_space(env.agent_selection).sample(observed["action_mask"]))
                yield

    return {"PettingZoo, connect_four": moves}


MAKERS = {"Sunglare": ours, "OpenSpiel": open_spiel, "PettingZoo": petting_zoo}


def a_second(steps: Steps) -> float:
    """Return how many steps a second of processor time there are."""
    next(steps)
    began, count = time.process_time(), 0
    while (spent := time.process_time() - began) < SECONDS:
        next(steps)
        count += 1
    return count / spent


def main() -> None:
    """Print a line for each environment, or why there is none."""
    tune_python()
    print("environment steps a second and core, at random by the masks:")
    for name, made in MAKERS.items():
        try:
            found = made()
        except ImportError as missing:
            print(f"  {name}: skipped, {missing}")
            continue
        for what, steps in found.items():
            print(f"  {what:34}{a_second(steps()):10.0f}", flush=True)


if __name__ == "__main__":
    main()
