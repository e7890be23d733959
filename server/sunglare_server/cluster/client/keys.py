"""Keys of buckets in written form: ids as they are, everything else as a hash.

A key is part of a subject, which the engine logs and shows. So it has an alphabet of its own, and
no name, token or ticket may be read in it.
"""

import base64
import hashlib
import re

from sunglare_server.ports.store import StoreError

_ID = re.compile(r"[a-z0-9]{1,64}")

_HASH_BYTES = 20


def is_id(text: str) -> bool:
    """Return whether a text can stand in a key as it is, as ids of accounts and matches do."""
    return _ID.fullmatch(text) is not None


def id_key(kind: str, text: str) -> str:
    """Return the key of an id among those of a kind; StoreError if it is none."""
    if not is_id(text):
        raise StoreError(f"not an id: {text!r}")
    return f"{kind}.{text}"


def hash_key(kind: str, text: str) -> str:
    """Return the key of a text that no key may show, among those of a kind."""
    digest = hashlib.blake2b(text.encode(), digest_size=_HASH_BYTES, person=b"sunglare key")
    return f"{kind}.{base64.b32encode(digest.digest()).decode().lower()}"
