"""Requests that may be repeated: the same id gives the same answer, also after a restart."""

from __future__ import annotations

from hashlib import sha256
from typing import NamedTuple, Protocol

from qin.server.problems import refuse

LONGEST_ID = 64


class Repeatable(Protocol):
    """An acting request."""

    @property
    def request_id(self) -> str: ...
    def SerializeToString(self, *, deterministic: bool = ...) -> bytes: ...  # noqa: N802


Key = tuple[bytes, str]
"""The hash of the caller's token, and the request's id."""


class Answered(NamedTuple):
    """A request that was carried out."""

    digest: bytes
    """Tells whether another request is the same one."""
    response: bytes


def key_of(token: bytes, request: Repeatable) -> Key:
    request_id = request.request_id
    if not 1 <= len(request_id) <= LONGEST_ID or not request_id.isprintable():
        refuse(
            "BAD_REQUEST_ID",
            f"a request_id has 1 to {LONGEST_ID} characters and no control characters",
        )
    return token, request_id


def digest_of(request: Repeatable) -> bytes:
    kind = type(request).__name__.encode()
    return sha256(kind + b"\0" + request.SerializeToString(deterministic=True)).digest()


def repeated(known: Answered | None, digest: bytes, key: Key) -> bytes | None:
    """The answer of before, if this is the same request again."""
    if known is None:
        return None
    if known.digest != digest:
        refuse("REQUEST_ID_REUSED", f"{key[1]!r} was another request before; choose a new id")
    return known.response
