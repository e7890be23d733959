"""The seeds that once failed: each is run every time, beside those that the command line names.

A seed stands for its run only as long as the scenario draws the same from it; one that found a
fault before the scenario was changed has a test of its own beside the fault that it found.
"""

from typing import Final

FOUND: Final[dict[int, str]] = {
    9: "a command repeated before the end was shown was refused with match/over",
    173: "the judge took a lock that replaces one, after the window was due, for the last of all",
    2065: "the judge did not reckon with a clock that was ahead after a restart",
}
"""What each seed found, by the seed."""
