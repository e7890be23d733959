"""The cards on points and objectives, and on what is known of agents and by spies.

Source: victory, turn of our rule book §8; agents and searches, search §1 to §3.
"""

from sunglare_protocol.views import ObjectiveView, View
from sunglare_protocol.views.agents import AlertView, FoundView, SpyView
from sunglare_protocol.words.victory import ObjectiveKind
from sunglare_rules.turn.victory import AGENT_POINTS, OBJECTIVES

TYPES_MOST = 4
"""The most own types that show the scale of points."""

_VICTORY = "Victory (turn §8)."
_ON_THE_GROUND = (
    f"Destroy an enemy ground unit: 1 point. Kill or capture an agent: {AGENT_POINTS} points."
)
_GALAXY = "Freedom in the Galaxy 10.1 (search §1)."


def points_reasons(view: View) -> tuple[str, ...]:
    """Return what gives points to the viewer and the tally that it knows, each with its rule.

    The parts of the tally are not listed; each was in the notices of its window.
    """
    return (
        *(f"{goal} {_VICTORY}" for goal in goals(view)),
        (
            f"{known_points(view)} points follow from what you know; others may come to light "
            f"at the end. {_VICTORY}"
        ),
        (
            "A destroyed ship shares its points among the sides that damaged it in that ENGAGE, "
            "by the boxes each did, and so does a ground unit; with more than two sides your "
            f"share is told after the end. An agent gives {AGENT_POINTS}. {_VICTORY}"
        ),
    )


def known_points(view: View) -> str:
    """Return the tally that the viewer knows, in numbers, as in `7` or `7 to 11`."""
    if not view.points_up_to:
        return f"{view.points}"
    return f"{view.points} to {view.points + view.points_up_to}"


def goals(view: View) -> tuple[str, ...]:
    """Return what gives points to the viewer, the own objectives first, as a sentence each.

    The view does not say what foreign ships are worth; the own types show the scale.
    """
    own = (f"{objective_words(objective)}." for objective in view.objectives)
    worth = {ship.type: ship.points for ship in view.own if ship.points}
    known = [f"{kind} {points}" for kind, points in worth.items()]
    scale = ", ".join(known[:TYPES_MOST])
    ships = f"Destroy an enemy ship: its points{f' (as yours: {scale})' if scale else ''}"
    is_shared = len(view.stage.sides) > 2
    return (
        *own,
        f"{ships}{', shared by those who damaged it' if is_shared else ''}.",
        _leaving(view),
        *((_ON_THE_GROUND,) if view.ground or view.agents else ()),
    )


def _leaving(view: View) -> str:
    """Return the sentence on own ships lost without an attack; others learn of them at the end."""
    if view.leaves_free:
        return "Own ship crashed: its points go to the others. It may leave the map."
    wanted = any(goal.kind is ObjectiveKind.ESCAPE for goal in view.objectives)
    elsewhere = " elsewhere" if wanted else ""
    return f"Own ship off the map{elsewhere} or crashed: its points go to the others."


def site_goals(view: View, body: str) -> tuple[str, ...]:
    """Return the viewer's objectives on a body, as `goals` has them."""
    there = (one for one in view.objectives if one.at is not None and one.at.body == body)
    return tuple(f"{objective_words(one)}." for one in there)


def agents_reasons(view: View) -> tuple[str, ...]:
    """Return why each alert stands, and how each find and each report of spies came about."""
    lines = (
        *map(_alert_line, view.alerts),
        *(line for found in view.found for line in _found_lines(found)),
        *map(_spy_line, view.spied),
    )
    return lines or (f"No alert stands, nobody was found, no spy has reported. {_GALAXY}",)


def objective_words(objective: ObjectiveView) -> str:
    """Return what an objective asks and gives, in words."""
    terms = OBJECTIVES[objective.kind]
    words = terms.sentence.format(
        edge=objective.edge and objective.edge.value,
        piece=objective.piece,
        at=objective.at and objective.at.name,
        body=objective.body,
        points=terms.points,
    )
    if objective.met:
        return f"{words}: done"
    if not objective.ends_after:
        return words
    if objective.kind is ObjectiveKind.SURVIVE:
        return f"{words}; {_after_loss(objective.ends_after)}"
    turns = "a turn" if objective.ends_after == 1 else f"{objective.ends_after} turns on end"
    return f"{words}; alone there in the open for {turns}: the end"


def _after_loss(turns: int) -> str:
    if turns == 1:
        return "its loss ends the match"
    return f"with its loss the last {turns} turns begin"


def _alert_line(alert: AlertView) -> str:
    near = f"the orbit of {alert.planet}"
    if alert.environs is not None:
        near = f"{alert.planet} {alert.environs}"
    return (
        f"Agents of {alert.side} near {near}: one or more of them is detected; which, how "
        f"many and by what is told to nobody. {_GALAXY}"
    )


def _found_lines(found: FoundView) -> tuple[str, ...]:
    source = "Freedom in the Galaxy 10.2 (search §2 and §3)."
    return tuple(
        f"{who.name} of {found.side}, combat {who.combat}, endurance {who.endurance}: found by a "
        f"search of {found.site.name} in turn {found.turn}, a memory since. {source}"
        for who in found.agents
    )


def _spy_line(spied: SpyView) -> str:
    return (
        f"{spied.site.name} as of turn {spied.turn}: spies of yours told all {len(spied.units)} "
        "foreign troops there, hidden ones too, and who stands with them. Missions (search §2)."
    )
