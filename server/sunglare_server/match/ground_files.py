"""The reading of the ground file: TOML to ground unit classes, with precise errors."""

from sunglare_server.match.datafiles import DataError, read_data
from sunglare_server.match.ground_checks import class_faults
from sunglare_server.match.ground_classes import GroundClass, GroundData, ground_class


def read_ground(text: str, file: str) -> dict[str, GroundClass]:
    """Return the ground unit classes of a ground file; raise `DataError`."""
    found = read_data(text, GroundData, file)
    for name, data in found.items():
        for key, why in class_faults(name, data):
            raise DataError(file, key, why)
    return {name: ground_class(name, data) for name, data in found.items()}
