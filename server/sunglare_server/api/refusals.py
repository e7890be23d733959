"""Refusals as the messages in which they are said."""

from sunglare_protocol.messages.replies import Refused
from sunglare_protocol.refusals import Code, Rejected


def refused(command: int, rejected: Rejected) -> Refused:
    """Return the message for a refusal."""
    return Refused(
        id=command,
        code=rejected.code,
        text=rejected.text,
        at=rejected.at,
        choices=rejected.choices,
    )


def busy(command: int, wait_ms: int) -> Refused:
    """Return the message for a command that comes too soon."""
    rejected = Rejected(code=Code.MESSAGE_BUSY)
    return Refused(id=command, code=rejected.code, text=rejected.text, retry_ms=wait_ms)
