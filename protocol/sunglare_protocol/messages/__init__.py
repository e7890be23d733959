"""The public face of the wire: every message of client and server, and the limits."""

from sunglare_protocol.messages.commands import *
from sunglare_protocol.messages.replies import *
