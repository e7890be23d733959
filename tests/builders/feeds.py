"""A sink that keeps the numbers of what a feed gives it."""

from typing import final

from sunglare_protocol.messages import Bye, Frame, News, Over
from sunglare_server.host.parcel import Parcel


@final
class Kept:
    """A sink that keeps what it is to prepare and what it is sent."""

    def __init__(self) -> None:
        self.prepared: list[int] = []
        self.came: list[int] = []

    def prepare(self, parcel: Parcel) -> None:
        """Keep the number."""
        self.prepared.append(seq_of(parcel))

    def put(self, parcel: Parcel) -> None:
        """Keep the number."""
        self.came.append(seq_of(parcel))

    def supersede(self) -> None:
        """Do nothing: nobody takes the seat."""

    def dismiss(self, bye: Bye, code: int) -> None:
        """Do nothing: nobody is turned out."""


def seq_of(parcel: Parcel) -> int:
    """Return the number of a post."""
    assert isinstance(parcel.message, Frame | News | Over)
    return parcel.message.seq
