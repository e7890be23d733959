"""Mean effect of all weapons of an own ship on a piece, wherever the two come to stand.

Source: Full Thrust weapon profiles; fire of our rule book, turn §6. It is the sum of the odds of
its shots, which are asked one by one in `fire`.
"""

from typing import final

from sunglare_protocol.geometry import Compass, Place, Square, Vector
from sunglare_protocol.views import ContactView, OwnView, View
from sunglare_rules.advice.check.fire import guns_on, shot_range_rule
from sunglare_rules.advice.odds.fire import shot_hundredths
from sunglare_rules.advice.seen.bearing import InSight, bear_so, contact_base, own_base, sight_of
from sunglare_rules.sensors.sectors import line_of_sight


@final
class Broadside:
    """The mean damage of a ship's weapons on a target, by where both stand.

    That the view holds the target, and on which squares it has both, is not looked at.
    """

    def __init__(self, view: View, ship: OwnView, target: ContactView) -> None:
        """Sort out the weapons that may be fired at what is known of the target."""
        self._board, self._ship, self._target = view.board, ship, target
        self._observer, self._other = own_base(ship), contact_base(target)
        self._guns = [(gun, shot_range_rule(gun, target)) for gun in guns_on(view, ship, target)]
        self._known: dict[tuple[Compass, Vector], int] = {}

    def hundredths(self, here: Square, facing: Compass, at: Square) -> int:
        """Return the mean damage in hundredths if the ship stood `here` and the target `at`."""
        if not self._guns:
            return 0
        ends = Place(here, self._ship.landed), Place(at, self._target.landed)
        if not line_of_sight(self._board, *ends):
            return 0
        way = facing, here.to(at)
        found = self._known.get(way)
        if found is None:
            observer = self._observer._replace(square=here, facing=facing)
            sight = sight_of(observer, self._other._replace(square=at))
            found = self._known[way] = self._total(sight)
        return found

    def _total(self, sight: InSight) -> int:
        bearings = [(gun, bear_so(self._ship, gun, sight, rule)) for gun, rule in self._guns]
        return sum(
            shot_hundredths(self._ship, gun, self._target, bearing)
            for gun, bearing in bearings
            if bearing is not None
        )
