"""Data scans on a surface map: how a target lies to the one who asks, and who notices a probe.

Source: Alpha Strike, "Concealing Unit Data"; blips of our rule book §3.7 and §4.
"""

from sunglare_protocol.geometry import Environs
from sunglare_rules.blips.dossiers import NOTICED_INCHES, DossierAim
from sunglare_rules.blips.ecm import NO_TIER
from sunglare_rules.ground.line_of_sight import Bodies, Viewpoint, sees, solid_between
from sunglare_rules.ground.plane import apart


def aim_on_map(
    environs: Environs,
    scanner: Viewpoint,
    target: Viewpoint,
    bodies: Bodies,
    jammed: int = NO_TIER,
) -> DossierAim:
    """Return how a target on the map lies to a data scan; `jammed` as `ecm.line_jammed` has it.

    `bodies` are the large units that stand in the way of eyes.
    """
    return DossierAim(
        apart(scanner.cell, target.cell),
        sees(environs, scanner, target, bodies),
        solid_between(environs, scanner, target),
        jammed,
    )


def notices_on_map(unit: Viewpoint, scanner: Viewpoint) -> bool:
    """Return whether a unit on the same map notices the scanner's probe at work."""
    return apart(unit.cell, scanner.cell).within(NOTICED_INCHES)
