"""The file that a person's data goes to: new, its owner's alone, in JSON for people to read."""

import os
from pathlib import Path
from typing import Final

import msgspec

from sunglare_server.ops.control.requests import RequestError
from sunglare_server.ops.privacy.account_data import PersonalFile

_OWNER_ALONE: Final = 0o600


def write_person(path: Path, person: PersonalFile) -> None:
    """Write the data to a new file; raise `RequestError` if it is there already, or can't be."""
    data = msgspec.json.format(msgspec.json.encode(person), indent=2) + b"\n"
    try:
        handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _OWNER_ALONE)
    except FileExistsError:
        raise RequestError(f"{path}: there is such a file already; name a new one") from None
    except OSError as error:
        raise RequestError(f"cannot write {path}: {error.strerror}") from error
    try:
        with open(handle, "wb") as file:
            file.write(data)
    except OSError as error:
        path.unlink(missing_ok=True)
        raise RequestError(f"cannot write {path}: {error.strerror}") from error
