"""The reading of the ground file: TOML to ground unit classes, with precise errors."""

import msgspec

from sunglare_server.match.data.abilities import AbilityError, equipment, with_remotes
from sunglare_server.match.data.checks.ground import class_faults
from sunglare_server.match.data.files import DataError, read_data
from sunglare_server.match.data.ground_classes import GroundClass, GroundData, ground_class


def read_ground(
    text: str, file: str, known: dict[str, GroundClass] | None = None
) -> dict[str, GroundClass]:
    """Return the ground unit classes of a ground file; raise `DataError`.

    `known` are the classes of files read before, which may be sown too.
    """
    found = read_data(text, GroundData, file)
    for name, data in found.items():
        for key, why in class_faults(name, data):
            raise DataError(file, key, why)
    try:
        able = {name: _able(name, data) for name, data in found.items()}
        return with_remotes(able, found, known or {})
    except AbilityError as fault:
        raise DataError(file, fault.key, fault.why) from None


def _able(name: str, data: GroundData) -> GroundClass:
    specials, dispensers = equipment(name, data.specials)
    return msgspec.structs.replace(
        ground_class(name, data), specials=specials, dispensers=dispensers
    )
