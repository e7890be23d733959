"""Where a plan takes a ship, what it gives off there, and what it means in a hunt, in words."""

from sunglare_client.text.hunting import hunt_lines
from sunglare_client.text.places import flight_text
from sunglare_protocol.ids import OwnId
from sunglare_protocol.orders import Order
from sunglare_protocol.views import View
from sunglare_protocol.word import spoken
from sunglare_rules.advice.seen.emissions import signatures_after
from sunglare_rules.advice.seen.lookup import ships_in_play
from sunglare_rules.advice.seen.plotting import after_plot


def course_lines(view: View, own: OwnId, plan: tuple[Order, ...]) -> list[str]:
    """Return where a ship will be by the plan of a PLOT and what it reveals; nothing of others."""
    ship = next((ship for ship in ships_in_play(view) if ship.id == own), None)
    if ship is None:
        return []
    given = signatures_after(view, ship, plan)
    values = ", ".join(f"{spoken(kind)} {value:+d}" for kind, value in given.items())
    return [
        f"  {ship.id} -> {flight_text(after_plot(view, ship, plan))}",
        *([f"  there it gives off: {values}"] if values else []),
        *hunt_lines(view, ship, plan),
    ]
