"""The occupation of environs: which sides stand there openly, for how long one alone, and the end.

Source: victory of our rule book §8 (OWN throughout). Hidden troops count at the end of a match and
nowhere here, so that neither the news nor the moment of the end gives them away.
"""

from collections.abc import Iterator

from sunglare_protocol.ids import Side
from sunglare_protocol.surface import Site
from sunglare_server.match.data.scenario import ScenarioData
from sunglare_server.match.events.ground import OccupationCounted
from sunglare_server.match.resolve.agents_scene import units_at
from sunglare_server.match.truth.truth import Truth


def occupations(truth: Truth, scenario: ScenarioData) -> Iterator[OccupationCounted]:
    """Yield who stands openly on each environs whose occupation ends the match."""
    for site in _decisive_sites(scenario):
        sides = tuple(side for side in truth.sides if _stands_openly(truth, side, site))
        if len(sides) != 1:
            yield OccupationCounted(site=site, sides=sides)
            continue
        yield OccupationCounted(
            site=site,
            sides=sides,
            turns=1 + _turns_alone(truth, sides[0], site),
            ends_after=_ends_after(scenario, sides[0], site),
        )


def is_occupied(truth: Truth, scenario: ScenarioData, playing: tuple[Side, ...]) -> bool:
    """Return whether one of the sides `playing` has occupied an environs for long enough."""
    return any(
        one.side in playing and 0 < _ends_after(scenario, one.side, one.site) <= one.turns
        for one in truth.occupiers
    )


def _decisive_sites(scenario: ScenarioData) -> tuple[Site, ...]:
    goals = (goal for side in sorted(scenario.sides) for goal in scenario.sides[side].objectives)
    return tuple(dict.fromkeys(goal.at for goal in goals if goal.at and goal.ends_after))


def _stands_openly(truth: Truth, side: Side, site: Site) -> bool:
    return any(not unit.hidden for unit in units_at(truth, side, site))


def _turns_alone(truth: Truth, side: Side, site: Site) -> int:
    alone = (one.turns for one in truth.occupiers if (one.side, one.site) == (side, site))
    return next(alone, 0)


def _ends_after(scenario: ScenarioData, side: Side, site: Site) -> int:
    """Return after how many turns of that side alone the match ends; 0 for never."""
    goals = scenario.sides[side].objectives
    return next((goal.ends_after for goal in goals if goal.at == site and goal.ends_after), 0)
