"""Another token for one's account: drawn here, stored before the server has it, never lost.

Theory of operation. The new token is written to a file of its own before its hash is sent. So
wherever the answer gets lost, one of the two files holds the token that is good: the next command
tries both, sends the hash again, which changes nothing where it was taken, and then has the new
file take the place of the old one.
"""

import hashlib
import secrets

from sunglare_client.errors import LostError, RefusedError
from sunglare_client.link import identity
from sunglare_client.link.connection import Connection, connect
from sunglare_client.link.identity import IdentityError
from sunglare_protocol.messages import Accepted, Renew
from sunglare_protocol.refusals import Code

TOKEN_BYTES = 32
"""The random bytes of a token, as many as a server's own have."""


async def renew(url: str) -> None:
    """Exchange the token for a server, or go on with an exchange that was cut off.

    Raise `IdentityError` without an account there, `RefusedError` or `LostError` if it can't be
    done; whichever token is good is kept then, too.
    """
    old, new = identity.load(url), identity.load_next(url)
    if old is None:
        raise IdentityError(
            f"you have no account for {url} here; the first sunglare play on that server makes one"
        )
    if new is None:
        new = secrets.token_urlsafe(TOKEN_BYTES)
        identity.save_next(url, new)
        known = (old, new)
    else:
        # More likely the answer was lost than the question.
        known = (new, old)
    try:
        await _exchanged(url, new, *known)
    except LostError:
        # All connections of the account end with it, in a cluster this one before its answer.
        await _exchanged(url, new, new, old)
    identity.take_next(url)


async def _exchanged(url: str, new: str, first: str, second: str) -> None:
    """Have the server know the new token alone; the same once more changes nothing."""
    async with await _connected(url, first, second) as connection:
        proof = hashlib.sha256(new.encode()).hexdigest()
        await connection.expect(Accepted, Renew, token_hash=proof)


async def _connected(url: str, first: str, second: str) -> Connection:
    """Connect by whichever of two tokens the server knows."""
    try:
        return await connect(url, token=first)
    except RefusedError as refusal:
        if refusal.code is not Code.HELLO_TOKEN:
            raise
    return await connect(url, token=second)
