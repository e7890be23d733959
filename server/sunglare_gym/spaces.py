"""The spaces of the environments, and observations as arrays that lie in them."""

from typing import Any, Final, final

import numpy as np
from gymnasium import Space
from gymnasium.spaces import Box, Dict, MultiBinary, MultiDiscrete
from numpy.typing import NDArray

from sunglare_client.choosing.chooser import Observation, Shape
from sunglare_client.choosing.numbers import CANDIDATE_NUMBERS, PIECE_NUMBERS, VIEW_NUMBERS

Arrays = dict[str, NDArray[Any]]
"""An observation: `view`, `pieces`, `candidates` and `action_mask`."""

PARTS: Final = {
    "view": "the numbers of the view",
    "pieces": "for each decision those of it and its piece; all 0 where no more is asked",
    "candidates": "for each decision, for each answer, those of the candidate; of answer 0 all 0",
    "action_mask": "for each decision, for each answer, whether it may be given: 1 or 0",
}
"""The arrays of an observation."""


@final
class AnswerSpace(MultiDiscrete):
    """The space of actions: an answer for each decision; a mask may be the array that it is."""

    def __init__(self, shape: Shape, seed: int | None = None) -> None:
        super().__init__([shape.candidates] * shape.decisions, seed=seed)

    def sample(self, mask: Any = None, probability: Any = None) -> NDArray[Any]:
        """Return answers at random: all alike likely, or those that the mask allows."""
        rows = tuple(mask) if isinstance(mask, np.ndarray) else mask
        return super().sample(mask=rows, probability=probability)


def observations(shape: Shape) -> Space[Any]:
    """Return the space of the observations of a seat."""
    sizes = {
        "view": (len(VIEW_NUMBERS),),
        "pieces": (shape.decisions, len(PIECE_NUMBERS)),
        "candidates": (shape.decisions, shape.candidates, len(CANDIDATE_NUMBERS)),
    }
    boxes = {name: Box(-1.0, 1.0, size, np.float32) for name, size in sizes.items()}
    mask = MultiBinary((shape.decisions, shape.candidates))
    return Dict({**boxes, "action_mask": mask})


def as_arrays(observation: Observation, shape: Shape) -> Arrays:
    """Return an observation as arrays, filled up with 0; answer 0 may always be given."""
    decisions, candidates = shape.decisions, shape.candidates
    pieces = np.zeros((decisions, len(PIECE_NUMBERS)), np.float32)
    found = np.zeros((decisions, candidates, len(CANDIDATE_NUMBERS)), np.float32)
    mask = np.zeros((decisions, candidates), np.int8)
    mask[:, 0] = 1
    for row, numbers in enumerate(observation.pieces):
        pieces[row] = numbers
    for row, of_decision in enumerate(observation.candidates):
        found[row, 1 : 1 + len(of_decision)] = of_decision
        mask[row, 1 : 1 + len(of_decision)] = 1
    view = np.array(observation.view, np.float32)
    return {"view": view, "pieces": pieces, "candidates": found, "action_mask": mask}
