"""Faults of a weapon of the weapons file: keys and what would be right."""

from collections.abc import Iterator

from sunglare_rules.capital.capital import CLASS_OF_KIND
from sunglare_rules.fire.weapons import CLASSED, has_class
from sunglare_rules.ground.attacks import Bracket
from sunglare_server.match.data.checks.ground import Fault
from sunglare_server.match.data.scenario import WeaponType


def weapon_faults(name: str, weapon: WeaponType) -> Iterator[Fault]:
    """Yield what is wrong with a weapon: a class or a damage that its kind has not, or lacks."""
    if weapon.rank != 1 and not has_class(weapon.kind):
        words = ", ".join(kind.value for kind in CLASSED)
        yield f"{name}.rank", f"only these have a class: {words}"
    is_capital = weapon.kind in CLASS_OF_KIND
    if is_capital and not any(weapon.damages):
        letters = ", ".join(bracket.value[0] for bracket in Bracket)
        yield f"{name}.s", f"a capital weapon has damage at one of the brackets {letters}"
    if any(weapon.damages) and not is_capital:
        words = ", ".join(kind.value for kind in CLASS_OF_KIND)
        yield f"{name}.s", f"only these have damage by brackets: {words}"
