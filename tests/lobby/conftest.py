"""A server on which time stands still."""

from builders.venues import app_at_rest as app_at_rest
from builders.venues import venue as venue
