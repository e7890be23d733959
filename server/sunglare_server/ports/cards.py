"""Cards: what is public, or known to a side about its own ships, before turn 1."""

from sunglare_protocol.ids import Side
from sunglare_protocol.messages.replies import ClassCard, ScenarioCard, WeaponClass
from sunglare_server.match.data.options import MatchOptions, shown, unusual
from sunglare_server.match.data.scenario import Scenario, ShipClass


def scenario_card(scenario: Scenario, options: MatchOptions) -> ScenarioCard:
    """Return the card of a scenario with the options in force; rosters are not on it."""
    data = scenario.data
    return ScenarioCard(
        name=scenario.name,
        title=data.title,
        brief=data.brief,
        turns=data.turns,
        board=scenario.board,
        sides=scenario.sides,
        zones={side: data.sides[side].zone for side in scenario.sides},
        options=shown(options),
        unusual=unusual(options),
    )


def class_cards(scenario: Scenario, side: Side) -> tuple[ClassCard, ...]:
    """Return the classes that may stand in the roster of `side`, for its owner."""
    rosters = scenario.data.sides[side].rosters
    names = sorted({entry.type for roster in rosters for entry in roster})
    return tuple(_class_card(scenario.classes[name]) for name in names)


def _class_card(kind: ShipClass) -> ClassCard:
    weapons = tuple(
        WeaponClass(
            id=weapon.id,
            kind=weapon.kind.value,
            rank=weapon.rank,
            arc=None if weapon.arc is None else weapon.arc.value,
            turret=weapon.turret,
            needs=None if weapon.needs is None else weapon.needs.value,
        )
        for weapon in kind.weapons
    )
    return ClassCard(
        name=kind.name,
        size=kind.size.value,
        hull=kind.hull,
        thrust=kind.thrust,
        points=kind.points,
        weapons=weapons,
        family=kind.type_shown,
        specials=kind.specials,
    )
