"""The operator's `credentials`: a folder of secrets that let processes into a cluster's engine.

Each process gets a file of its own, which holds its secret, and the engine's configuration
includes one file that is made of all of them. So access is revoked by deleting a process's file
and having the rest written again; no other secret changes.
"""

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple, final

from sunglare_server.base.entropy import Entropy, ticket_text
from sunglare_server.cluster.client.authorization import MADE, authorization, routes
from sunglare_server.cluster.client.credentials import (
    Credential,
    CredentialError,
    encode_credential,
    file_of,
    is_name,
    read_credential,
)
from sunglare_server.cluster.client.permissions import Role
from sunglare_server.ops.cluster.certificates import (
    ENGINE_CERTIFICATE,
    ENGINE_KEY,
    Certificates,
    make_certificates,
)

AUTHORIZATION: Final = "authorization.conf"
"""The file that every engine's configuration includes."""

ROUTES: Final = "routes.conf"
"""The file that the part `cluster` of every engine's configuration includes."""

ALWAYS: Final = ((Role.OPERATOR, "operator"), (Role.SYSTEM, "system"))
"""Whom every cluster has."""

_ADDRESS = re.compile(r"([\w.-]+|\[[0-9a-fA-F:]+\])(:\d{1,5})?", re.ASCII)
_OWNER_ALONE = 0o600
_OWNERS_FOLDER = 0o700

Holder = tuple[Role, str]
"""The role and the name of who gets a credential."""


@final
class Plan(NamedTuple):
    """What is to be made in a folder: credentials, and the meeting of these engines, if any."""

    folder: Path
    holders: tuple[Holder, ...]
    engines: tuple[str, ...] = ()
    force: bool = False
    """Whether secrets that are there already are replaced."""


def make_credentials(plan: Plan, entropy: Entropy) -> list[Path]:
    """Make what is planned, and return the files that were written.

    Raise `CredentialError` before anything is written if a name cannot be, or if something is
    there already and may not be replaced.
    """
    try:
        there = _read_folder(plan.folder)
        fresh = _fresh(plan, there)
        _check_files(plan, there)
        hosts = [_host_of(engine) for engine in plan.engines]
        certificates = make_certificates(plan.folder, hosts, entropy) if hosts else None
        plan.folder.mkdir(mode=_OWNERS_FOLDER, parents=True, exist_ok=True)
        known = {**there, **_drawn(fresh, entropy)}
        return list(_written(plan, known, fresh, certificates, entropy))
    except OSError as fault:
        raise CredentialError(f"{fault.filename or plan.folder}: {fault.strerror}") from None


def _read_folder(folder: Path) -> dict[Holder, Credential]:
    there = {}
    for path in sorted(folder.glob("*.json")):
        credential = read_credential(path)
        if path != file_of(folder, credential.role, credential.name):
            raise CredentialError(f"{path} is the credential of {credential.user}")
        there[credential.role, credential.name] = credential
    return there


def _fresh(plan: Plan, there: dict[Holder, Credential]) -> list[Holder]:
    """Return who gets a new secret."""
    for role, name in plan.holders:
        if not is_name(role, name):
            raise CredentialError(
                f"{name!r} is no name for {role.value}: small letters, digits and hyphens, 32 at"
                " most, and no word that has a meaning of its own"
            )
    fresh = list(dict.fromkeys((*plan.holders, *(one for one in ALWAYS if one not in there))))
    names = [name for _, name in dict.fromkeys((*there, *fresh))]
    for name in names:
        # They would read each other's line.
        if names.count(name) > 1:
            raise CredentialError(f"{name} stands twice: a name has one holder, in one role")
    return fresh


def _check_files(plan: Plan, there: dict[Holder, Credential]) -> None:
    """Raise `CredentialError` if a file is there that may not be replaced."""
    for engine in plan.engines:
        if not _ADDRESS.fullmatch(engine):
            raise CredentialError(f"{engine!r} is no address of an engine: HOST or HOST:PORT")
    if plan.force:
        return
    taken = [file_of(plan.folder, *holder) for holder in plan.holders if holder in there]
    if plan.engines:
        made = [plan.folder / name for name in (ROUTES, ENGINE_CERTIFICATE, ENGINE_KEY)]
        taken += [path for path in made if path.exists()]
    if taken:
        raise CredentialError(f"{taken[0]} exists already; --force replaces it")
    of_all = plan.folder / AUTHORIZATION
    if of_all.exists() and not of_all.read_text("utf-8", "replace").startswith(MADE):
        raise CredentialError(f"{of_all} was not made by this command; --force replaces it")


def _drawn(fresh: Sequence[Holder], entropy: Entropy) -> dict[Holder, Credential]:
    return {
        (role, name): Credential(role=role, name=name, password=ticket_text(entropy))
        for role, name in fresh
    }


def _host_of(engine: str) -> str:
    """Return the host of an engine's address, of IPv6 without brackets."""
    return engine[1:].partition("]")[0] if engine.startswith("[") else engine.partition(":")[0]


def _written(
    plan: Plan,
    known: dict[Holder, Credential],
    fresh: Sequence[Holder],
    certificates: Certificates | None,
    entropy: Entropy,
) -> Iterator[Path]:
    """Write the files, that of all last, and yield their paths."""
    for holder in fresh:
        path = file_of(plan.folder, *holder)
        _write(path, encode_credential(known[holder]))
        yield path
    for name, data in (certificates.files if certificates is not None else {}).items():
        _write(plan.folder / name, data)
        yield plan.folder / name
    if plan.engines:
        path = plan.folder / ROUTES
        _write(path, routes(plan.engines, ticket_text(entropy)).encode())
        yield path
    path = plan.folder / AUTHORIZATION
    _write(path, authorization(known.values()).encode())
    yield path


def _write(path: Path, data: bytes) -> None:
    """Put `data` in the place of a file, whole or not at all, for its owner alone."""
    part = path.with_name(f".{path.name}.part")
    part.unlink(missing_ok=True)
    handle = os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _OWNER_ALONE)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
