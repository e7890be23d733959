"""The reading of the ground file: TOML to ground unit classes, with precise errors."""

import msgspec

from sunglare_protocol.surface import GroundKind
from sunglare_protocol.words.specials import Special
from sunglare_server.match.data.abilities import AbilityError, abilities, remote_class
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
        return _equipped(found, known or {})
    except AbilityError as fault:
        raise DataError(file, fault.key, fault.why) from None


def _equipped(
    found: dict[str, GroundData], known: dict[str, GroundClass]
) -> dict[str, GroundClass]:
    able = {name: _able(name, data) for name, data in found.items()}
    every = {**known, **able}
    remotes = {name: kind for name, kind in every.items() if kind.kind is GroundKind.REMOTE}
    return {
        name: msgspec.structs.replace(
            kind,
            remote=remote_class(
                name,
                found[name].remote,
                kind.dispensers,
                remotes,
                is_remote=kind.kind is GroundKind.REMOTE,
            ),
        )
        for name, kind in able.items()
    }


def _able(name: str, data: GroundData) -> GroundClass:
    named = abilities(f"{name}.specials", data.specials)
    return msgspec.structs.replace(
        ground_class(name, data),
        specials=tuple(ability.special for ability in named),
        dispensers=sum(ability.number for ability in named if ability.special is Special.RSD),
    )
