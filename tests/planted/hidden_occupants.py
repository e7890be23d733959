"""Hidden troops are counted among those that are announced to occupy an environs."""

from builders.plants import in_place_of
from sunglare_protocol.ids import Side
from sunglare_protocol.surface import Site
from sunglare_server.match.resolve import occupation
from sunglare_server.match.resolve.agents_scene import units_at
from sunglare_server.match.truth.truth import Truth


@in_place_of(occupation, "_stands_openly")
def plant(_real: object, truth: Truth, side: Side, site: Site) -> bool:
    return bool(units_at(truth, side, site))
