"""Checks of a ground battery's fire at what is held in space.

Source: Alpha Strike, ground-based capital weapons; capital weapons of our rule book §3, "Ground
fire at ships".
"""

from sunglare_protocol.orders import Fire
from sunglare_protocol.refusals import Code, Rejected
from sunglare_protocol.views import ContactView, View
from sunglare_protocol.views.ground import ArmView, GroundView
from sunglare_protocol.words.ladder import Fix
from sunglare_rules.advice.refusing import refused
from sunglare_rules.advice.seen.lookup import not_targetable, own_target
from sunglare_rules.capital.batteries import battery_bears, battery_bracket, is_held_for
from sunglare_rules.capital.capital import CLASS_OF_ARM
from sunglare_rules.ground.attacks import Bracket, damage_at


def battery_problem(view: View, unit: GroundView, arm: ArmView, order: Fire) -> Rejected | None:
    """Return why the battery cannot fire this shot into space, or None."""
    aimed = battery_aim(view, unit, arm, order)
    return aimed if isinstance(aimed, Rejected) else None


def battery_aim(
    view: View, unit: GroundView, arm: ArmView, order: Fire
) -> tuple[ContactView, Bracket] | Rejected:
    """Return the target of a battery and its bracket, or why it may not be fired at."""
    surface = view.board.surface_at(unit.site)
    if surface is None:
        return refused(Code.ORDER_LOAD, ".ship", "The unit is aboard a ship.")
    planet, environs = surface
    target = own_target(view, order.at)
    if isinstance(target, Rejected):
        return target
    kind = CLASS_OF_ARM[arm.kind]
    if not is_held_for(kind, target.fix):
        return not_targetable(view, target, (Fix.TRACKED,))
    bracket = battery_bracket(planet, environs.sector, target.square)
    if bracket is None or not damage_at(arm.damage, bracket):
        reach = [reached.value for reached in Bracket if damage_at(arm.damage, reached)]
        return refused(Code.ORDER_RANGE, ".at", f"The weapon reaches {', '.join(reach)} range.")
    if not battery_bears(view.board, planet, environs.sector, kind, target.square, target.fix):
        return refused(Code.ORDER_LINE, ".at", "A planet lies between.")
    return target, bracket
