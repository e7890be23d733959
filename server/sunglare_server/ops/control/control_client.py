"""The other end of the control socket: asks a running server and waits for the answer."""

import socket
from pathlib import Path

from sunglare_server.ops.control.answers import Answer, read_answer
from sunglare_server.ops.control.requests import REQUEST_BYTES, Request, RequestError, encode

ANSWER_BYTES = 16 * 1024 * 1024
"""The longest answer that is read."""

ANSWER_S = 600.0
"""How long an answer may take: a backup of a large database takes its time."""

_CHUNK = 64 * 1024


class NoServerError(RequestError):
    """No server answers at the socket."""


def call(path: Path, request: Request) -> Answer:
    """Return the server's answer; raise `NoServerError` or, if it refuses, `RequestError`."""
    line = encode(request) + b"\n"
    if len(line) > REQUEST_BYTES:
        raise RequestError(f"that is longer than the {REQUEST_BYTES} bytes of a request")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as caller:
        caller.settimeout(ANSWER_S)
        try:
            caller.connect(str(path))
        except OSError as error:
            why = error.strerror or str(error)
            raise NoServerError(f"no server answers at {path}: {why}") from error
        try:
            caller.sendall(line)
            answer = read_answer(_line(caller))
        except OSError as error:
            raise RequestError(f"the server went away at {path}: {error}") from error
    if answer.error is not None:
        raise RequestError(answer.error)
    return answer


def _line(caller: socket.socket) -> bytes:
    data = bytearray()
    while not data.endswith(b"\n") and len(data) <= ANSWER_BYTES:
        chunk = caller.recv(_CHUNK)
        if not chunk:
            raise ConnectionResetError("it closed the connection without an answer")
        data += chunk
    return bytes(data)
