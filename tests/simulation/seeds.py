"""The seeds that once failed: each is run again every time, and says what it found."""

from typing import Final

FOUND: Final[dict[int, str]] = {}
"""What each seed found, by the seed."""
