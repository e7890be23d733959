"""Errors of a medium that refuses to store."""

from sunglare_protocol.errors import SunglareError


class MediumError(SunglareError):
    """A medium refused: `why` for the log, `fatal` if it can't be trusted with writes any more."""

    def __init__(self, why: str, *, fatal: bool = False) -> None:
        """Keep the facts."""
        super().__init__(why)
        self.why = why
        self.fatal = fatal

    def __str__(self) -> str:
        """Return the reason."""
        return self.why
