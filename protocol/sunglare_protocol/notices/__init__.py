"""Notices of events in the window that just closed, as one audience may see them."""

from sunglare_protocol.notices.agents import *
from sunglare_protocol.notices.base import *
from sunglare_protocol.notices.blips import *
from sunglare_protocol.notices.capital import *
from sunglare_protocol.notices.cloak import *
from sunglare_protocol.notices.ground import *
from sunglare_protocol.notices.space import *
