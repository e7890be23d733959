"""Views of a match: those of sides, of the public and of the feed of the truth."""

from sunglare_protocol.views.agents import *
from sunglare_protocol.views.ground import *
from sunglare_protocol.views.space import *
