"""Who calls: the token and the address, from the metadata of a call."""

from __future__ import annotations

import functools
import hmac
import ipaddress
from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple

from qin.server.problems import refuse

TOKEN_BYTES = 32


class Caller(NamedTuple):
    token: bytes
    """SHA-256 of the token; empty where none was sent. The token itself goes no further."""
    address: str
    """Without the port."""
    local: bool
    """Whether the call comes from this machine."""

    def needs_token(self) -> bytes:
        if not self.token:
            refuse(
                "TOKEN_MISSING", "send a secret of your own: authorization: Bearer <64 hex digits>"
            )
        return self.token


def hashed(secret: str) -> bytes:
    """What is kept of an invite code or a ticket."""
    return sha256(secret.encode()).digest() if secret else b""


def same(one: bytes, other: bytes) -> bool:
    """Equality in constant time."""
    return hmac.compare_digest(one, other)


@functools.lru_cache(maxsize=1024)
def stranger_at(peer: str) -> Caller:
    """A caller of whom nothing is known but where he is."""
    address = peer.rpartition(":")[0] if peer.startswith("ip") else peer
    return Caller(b"", address, _is_loopback(address))


def token_of(metadata: Iterable[tuple[str, str | bytes]], password: bytes) -> bytes:
    """The hash of the token; refused if it is none, or the server's password is missing."""
    token, given = b"", ""
    for key, value in metadata:
        if key == "authorization":
            token = _token(str(value))
        elif key == "qin-password":
            given = str(value)
    if password and not same(hashed(given) or b"-", password):
        refuse("PASSWORD_WRONG", "this server wants its password, as metadata qin-password")
    return token


def _token(value: str) -> bytes:
    scheme, _, word = value.partition(" ")
    try:
        secret = bytes.fromhex(word) if scheme.lower() == "bearer" else b""
    except ValueError:
        secret = b""
    if len(secret) != TOKEN_BYTES:
        refuse("BAD_TOKEN", "a token is 'Bearer' and 64 hex digits, made by the client at random")
    return sha256(secret).digest()


def _is_loopback(address: str) -> bool:
    if address.startswith("unix:"):
        return True
    try:
        host = address.partition(":")[2].replace("%5B", "").replace("%5D", "").strip("[]")
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
