"""Trains a player of one seat by MaskablePPO of sb3-contrib, and measures it on new matches.

It needs Sunglare with its extras `server`, `arena` and `rl`, and `requirements.txt` next to it:

    python train.py --minutes 9 --games 400
"""

import argparse
import time

import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableMultiInputActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import DummyVecEnv, VecMonitor
from torch import nn

from sunglare_arena.series import tune_python
from sunglare_arena.tally import wilson
from sunglare_client.choosing.chooser import Shape
from sunglare_gym import SunglareSeat

WIDTH, MATCHES_AT_ONCE = 64, 4
NEW_MATCHES = 1_000_000  # the seed of the first match that is measured
HOW = {"n_steps": 64, "batch_size": 64, "n_epochs": 6, "learning_rate": 2e-3, "gamma": 0.95}


def seat(shaping=0.0):
    """Return a seat against the random bot; shaped rewards are for learning alone."""
    return SunglareSeat(opponent="random", shape=Shape(6, 6), shaping=shaping)


class Scores(BaseFeaturesExtractor):
    """Scores every candidate by one network, from the numbers of view, piece and candidate."""

    def __init__(self, space):
        self.answers = space["action_mask"].shape[0] * space["action_mask"].shape[1]
        super().__init__(space, self.answers + WIDTH)
        numbers = sum(space[part].shape[-1] for part in ("view", "pieces", "candidates"))
        layers = nn.Linear(numbers, WIDTH), nn.Tanh(), nn.Linear(WIDTH, WIDTH), nn.Tanh()
        self.body, self.score = nn.Sequential(*layers), nn.Linear(WIDTH, 1)

    def forward(self, seen):
        """Return the scores of all answers, and of the rest what is known on average."""
        candidates, mask = seen["candidates"], seen["action_mask"].unsqueeze(-1)
        view = seen["view"][:, None, None].expand(*candidates.shape[:3], -1)
        piece = seen["pieces"][:, :, None].expand(*candidates.shape[:3], -1)
        hidden = self.body(torch.cat((view, piece, candidates), -1))
        pooled = (hidden * mask).sum((1, 2)) / mask.sum((1, 2))
        return torch.cat((self.score(hidden).flatten(1), pooled), 1)


class Policy(MaskableMultiInputActorCriticPolicy):
    """Takes the scores for the answers as they are, and the rest for the value."""

    def _build(self, lr_schedule):
        super()._build(lr_schedule)
        self.action_net = nn.Identity()

    def _build_mlp_extractor(self):
        answers = self.features_extractor.answers
        net = self.mlp_extractor = nn.Module()
        net.latent_dim_pi, net.latent_dim_vf = answers, WIDTH
        net.forward_actor = lambda features: features[:, :answers]
        net.forward_critic = lambda features: features[:, answers:]
        net.forward = lambda features: (features[:, :answers], features[:, answers:])


def wins(model, env, number):
    """Play a match that no model has learned from, and return whether it was won."""
    seen, info = env.reset(seed=NEW_MATCHES + number, options={"side": "AB"[number % 2]})
    over = False
    while not over:
        answers, _ = model.predict(seen, action_masks=env.action_masks(), deterministic=True)
        seen, _, over, _, info = env.step(answers)
    return info["winner"] == info["side"]


parser = argparse.ArgumentParser()
parser.add_argument("--minutes", type=float, default=9, help="of processor time, to train")
parser.add_argument("--games", type=int, default=400, help="matches to measure it by")
wish = parser.parse_args()
torch.set_num_threads(1)
tune_python()
envs = VecMonitor(DummyVecEnv([lambda: seat(shaping=0.3)] * MATCHES_AT_ONCE))
scored = {"features_extractor_class": Scores}
model = MaskablePPO(Policy, envs, **HOW, policy_kwargs=scored, seed=1, verbose=1)
model.learn(10**9, callback=lambda *_: time.process_time() < 60 * wish.minutes)
model.save("learned")
print(f"{model.num_timesteps} steps in {time.process_time() / 60:.1f} minutes of processor time")
env = seat()
won = sum(wins(model, env, number) for number in range(wish.games))
low, high = wilson(won, wish.games)
print(f"won {won} of {wish.games}: {won / wish.games:.1%} ({low:.1%} to {high:.1%})")
print(f"{time.process_time() / 60:.1f} minutes of processor time in all")
