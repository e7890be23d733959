"""What every request of an operator has, and how one is refused."""

import msgspec

from sunglare_protocol.errors import SunglareError


class RequestError(SunglareError):
    """A request that can't be met: `why` says what is wrong and what would be right."""

    def __init__(self, why: str) -> None:
        """Keep the reason."""
        super().__init__(why)
        self.why = why

    def __str__(self) -> str:
        """Return the reason."""
        return self.why


class AnyRequest(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    tag_field="do",
    forbid_unknown_fields=True,
    omit_defaults=True,
):
    """A request; `do` names which, and what is unknown in it is refused."""

    by: str = ""
    """Who asks: over the control socket the system says it, over an engine the command."""
