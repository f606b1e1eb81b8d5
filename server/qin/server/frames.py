"""Messages put together from parts that are serialized already.

An event goes into the store, into answers and to every watcher. It is serialized once; what it
becomes a part of is written here by the rules of the wire format: a tag, a length, the bytes.
"""

from __future__ import annotations

from collections.abc import Iterable

from google.protobuf.message import Message

Answer = Message | bytes
"""A message, or one that is serialized already."""

_SHORT = tuple(bytes([number]) for number in range(0x80))


def serialize(answer: Answer) -> bytes:
    return answer if isinstance(answer, bytes) else answer.SerializeToString()


def field(number: int, body: bytes) -> bytes:
    """A message, a string or bytes as a field of a message."""
    return _varint(number << 3 | 2) + _varint(len(body)) + body


def fields(number: int, bodies: Iterable[bytes]) -> bytes:
    """The same for a repeated field."""
    tag = _varint(number << 3 | 2)
    return b"".join([tag + _varint(len(body)) + body for body in bodies])


def number_field(number: int, value: int) -> bytes:
    """An unsigned number as a field of a message."""
    return _varint(number << 3) + _varint(value)


def _varint(number: int) -> bytes:
    if number < 0x80:
        return _SHORT[number]
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)
