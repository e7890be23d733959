"""The kit for bots: what every author of one needs, under names that stay.

The names below are supported, as those of `sunglare_client` are: what happens to them is in the
changelog. They are made in `sunglare_client.bots`, where the shipped bots use them too; whatever
else lies there may change.
"""

from sunglare_client.bots.fire.ordnance import aimed, launched
from sunglare_client.bots.ground.ground_orders import ground_shots
from sunglare_client.bots.movement.hunting import Quarry, attack, closing, nearest, quarries
from sunglare_client.bots.movement.measures import (
    ahead,
    inches_apart,
    mu_in_squares,
    reach,
    within_inches,
    within_mu,
)
from sunglare_client.bots.movement.steering import (
    bearing,
    best_course,
    best_shots,
    danger,
    deployment,
    distance,
    parked_deployment,
    parking,
)
from sunglare_client.bots.outcome.beaten import is_beaten
from sunglare_client.bots.scans.data_requests import Requests
from sunglare_client.bots.scans.looking import Look, best_look, looks, seen_squares
from sunglare_client.bots.seeker import Seeker, powered_on, switched_on
from sunglare_client.bots.sightings.belief import Belief
from sunglare_client.bots.sightings.beliefmap import BeliefMap
from sunglare_rules.advice.legal.plans import Course
from sunglare_rules.advice.odds.whereabouts import Whereabouts
from sunglare_rules.advice.plans.routes import Route, Waypoint
from sunglare_rules.sensors.masks import area_mask, mask_of, squares_in
from sunglare_rules.turn.movement import Flight, MoveEnding, ending

__all__ = [
    "Belief",
    "BeliefMap",
    "Course",
    "Flight",
    "Look",
    "MoveEnding",
    "Quarry",
    "Requests",
    "Route",
    "Seeker",
    "Waypoint",
    "Whereabouts",
    "ahead",
    "aimed",
    "area_mask",
    "attack",
    "bearing",
    "best_course",
    "best_look",
    "best_shots",
    "closing",
    "danger",
    "deployment",
    "distance",
    "ending",
    "ground_shots",
    "inches_apart",
    "is_beaten",
    "launched",
    "looks",
    "mask_of",
    "mu_in_squares",
    "nearest",
    "parked_deployment",
    "parking",
    "powered_on",
    "quarries",
    "reach",
    "seen_squares",
    "squares_in",
    "switched_on",
    "within_inches",
    "within_mu",
]
