"""What secrecy costs: padded frames, a SCAN slot for each side, dice looked up by key.

Each is measured with and without on the same matches of house bots, without sockets, as
`in_process.py` measures.
"""

import argparse
import random
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, final
from unittest.mock import patch

from in_process import SCENARIOS, Step, folded, frames_of, played, timed
from msgspec.structs import replace

from sunglare_protocol.codec import Form, encode_server, padded
from sunglare_protocol.messages.replies import Frame
from sunglare_server.base.library import load_library
from sunglare_server.match.data.options import MatchOptions
from sunglare_server.match.data.scenario import Scenario
from sunglare_server.match.dice import Dice
from sunglare_server.match.record import WindowDue
from sunglare_server.match.state import MatchState
from sunglare_server.match.step import step

SCENARIO = "shadow-of-ceres"
PLAIN = MatchOptions(clock="test", pad_frames="no", scan_slots="sealed")
DICE_BITS = 128
DIGEST = "_digest"
"""The one method through which all dice, ties and handles are drawn."""


@final
class Sent(NamedTuple):
    """What was sent: messages, bytes, and the CPU seconds for them."""

    messages: int
    size: int
    cpu_s: float

    def of_a_frame(self) -> str:
        """Return time and bytes of a frame."""
        each_us = self.cpu_s / self.messages * 1e6
        return f"{each_us:.1f} us and {self.size / self.messages:.0f} bytes a frame"

    def of_a_turn(self, steps: list[Step]) -> str:
        """Return time, frames and bytes of a turn."""
        turns = sum(
            one.before is None or _turn(one.before) != _turn(one.after.state) for one in steps
        )
        return (
            f"{self.cpu_s / turns * 1e6:.0f} us, {self.messages / turns:.1f} frames and"
            f" {self.size / turns:.0f} bytes a turn"
        )


def _turn(state: MatchState) -> int:
    return state.standing.turn


def steps_of(scenario: Scenario, matches: int, most: int, options: MatchOptions) -> list[Step]:
    """Return the steps of so many matches between house bots."""
    journals = [played(scenario, 1 + seed, most, options) for seed in range(matches)]
    return [folded_step for journal in journals for folded_step in folded(journal)]


def encoded(steps: list[Step], shape: Callable[[Frame], Frame]) -> Sent:
    """Return how long the frames of the steps take to be given their shape and encoded."""
    frames = [post for one in steps for post in frames_of(one) if isinstance(post, Frame)]

    def encode() -> list[bytes]:
        return [encode_server(shape(frame), Form.PACKED) for frame in frames]

    return Sent(len(frames), sum(map(len, encode())), timed(encode))


def stepped(steps: list[Step]) -> Sent:
    """Return how long the steps take with all that they send to the sides."""

    def send() -> list[bytes]:
        for one in steps:
            step(one.before, one.record)
        return [encode_server(post, Form.PACKED) for one in steps for post in frames_of(one)]

    messages = send()
    return Sent(len(messages), sum(map(len, messages)), timed(send))


def draws(steps: list[Step]) -> list[tuple[Any, ...]]:
    """Return the arguments of everything that is drawn while the steps are made."""
    drawn: list[tuple[Any, ...]] = []
    keyed: Callable[..., bytes] = vars(Dice)[DIGEST]

    def noting(*arguments: Any) -> bytes:
        drawn.append(arguments)
        return keyed(*arguments)

    with patch.object(Dice, DIGEST, noting):
        for one in steps:
            step(one.before, one.record)
    return drawn


def dice_costs(drawn: list[tuple[Any, ...]]) -> tuple[float, float]:
    """Return the CPU seconds of these draws by key, and of as many from a plain generator."""
    keyed: Callable[..., bytes] = vars(Dice)[DIGEST]
    plain = random.Random(1)

    def look_up() -> None:
        for arguments in drawn:
            keyed(*arguments)

    def draw() -> None:
        for _ in drawn:
            plain.getrandbits(DICE_BITS)

    return timed(look_up), timed(draw)


def lines(scenario: Scenario, matches: int, most: int) -> Iterator[str]:
    """Yield what each part of secrecy costs."""
    sealed = steps_of(scenario, matches, most, PLAIN)
    slots = steps_of(scenario, matches, most, replace(PLAIN, scan_slots="sequential"))
    windows = sum(isinstance(one.record.b, WindowDue) for one in sealed)
    yield f"what secrecy costs in {scenario.name} ({matches} matches, {windows} windows):"
    yield f"  frames as they are     {encoded(sealed, lambda frame: frame).of_a_frame()}"
    yield f"  frames padded          {encoded(sealed, padded).of_a_frame()}"
    yield f"  SCAN sealed            {stepped(sealed).of_a_turn(sealed)}"
    yield f"  SCAN in slots          {stepped(slots).of_a_turn(slots)}"
    drawn = draws(sealed)
    keyed_s, plain_s = dice_costs(drawn)
    for name, cpu_s in (("plain dice", plain_s), ("keyed dice", keyed_s)):
        a_window = cpu_s / windows * 1e6
        yield (
            f"  {name}             {a_window:.1f} us a window"
            f" ({len(drawn) / windows:.1f} draws, {cpu_s / len(drawn) * 1e6:.2f} us each)"
        )


def main() -> None:
    """Print the costs."""
    parser = argparse.ArgumentParser(description="Measure what secrecy costs.")
    parser.add_argument("--matches", type=int, default=SCENARIOS[SCENARIO])
    parser.add_argument("--windows", type=int, default=1000, help="end each match after so many")
    given = parser.parse_args()
    for line in lines(load_library().scenarios[SCENARIO], given.matches, given.windows):
        print(line, flush=True)


if __name__ == "__main__":
    main()
