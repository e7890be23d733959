"""The orders a seat may give: of ships, of ground units, of agents."""

from sunglare_protocol.orders.agents import *
from sunglare_protocol.orders.ground import *
from sunglare_protocol.orders.space import *
