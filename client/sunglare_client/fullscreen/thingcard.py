"""The whole card of what is pointed at on the map, which F1 shows instead of what acting means."""

from typing import final

from sunglare_client.fullscreen.pointing.pointing import Pointer
from sunglare_client.fullscreen.scene import Panel
from sunglare_client.fullscreen.steering import name_there
from sunglare_client.text.cards import thing_lines
from sunglare_protocol.surface import Site
from sunglare_protocol.views import View


@final
class ThingCard:
    """The card that is asked for: it is shown as long as the pointer stays where it is."""

    def __init__(self) -> None:
        """Show none."""
        self._at: Pointer | None = None

    def ask(self, view: View | None, site: Site | None, pointer: Pointer) -> bool:
        """Show the card of the thing there; return whether it was not shown before.

        Asked again, or where nothing is known, it shows none any more.
        """
        known = view is not None and name_there(view, site, pointer) and self._at != pointer
        self._at = pointer if known else None
        return self._at is not None

    def panel(self, view: View | None, site: Site | None, pointer: Pointer | None) -> Panel | None:
        """Return the card if it is shown and there still is something to say."""
        if view is None or pointer is None or pointer != self._at:
            return None
        name = name_there(view, site, pointer)
        return (
            Panel(f"{name} (Esc: type)", thing_lines(view, name, classes=True)) if name else None
        )
