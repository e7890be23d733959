"""The server that a test of this room may open."""

from builders.venues import app as app
from builders.venues import venue as venue
