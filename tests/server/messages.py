"""Requests made by hypothesis from the contract: sensible, odd and absurd ones."""

from __future__ import annotations

from typing import Any, NamedTuple

from google.protobuf.descriptor import Descriptor, FieldDescriptor, MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from hypothesis import strategies as st
from qin.v1 import info_pb2, lobby_pb2, offer_pb2, play_pb2, records_pb2, session_pb2, watch_pb2

METHODS: tuple[MethodDescriptor, ...] = tuple(
    method
    for file in (info_pb2, lobby_pb2, offer_pb2, play_pb2, records_pb2, session_pb2, watch_pb2)
    for service in file.DESCRIPTOR.services_by_name.values()
    for method in service.methods
)

TABLES = ("<open>", "<play>", "<over>")
"""Stand for the names of tables, which are as long, and known only when a server runs."""

_CONTROL = "\x00\x07\x1b[2J\r\n\x7f\x85\u202e\u2028\ufeff"
_TEXTS = st.one_of(
    st.sampled_from(
        ["", "x", "ann", "bird", "Rg8Yh8", "Rc4Yd4", "1", "9" * 19, "R../../VVV", "-1"]
    ),
    st.text(st.sampled_from(_CONTROL + "aR1./"), max_size=12),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=40),
    st.sampled_from(["x" * 5000, "é" * 20_000, "R" * 60_000]),
)
_NUMBERS = st.one_of(st.sampled_from([0, 1, 2, 3, 4, 2**31, 2**32 - 1]), st.integers(0, 2**32 - 1))
_BYTES = st.one_of(st.just(bytes(16)), st.binary(max_size=40))
_SENSIBLE: dict[str, list[Any]] = {
    "table_id": list(TABLES),
    "unwatch": list(TABLES),
    "request_id": ["a", "b", "c", "d", "e", "f"],
    "record_id": ["<over>-1"],
    "seats": [2, 3],
    "name": ["ann", "bob"],
    "nonce": [bytes(16)],
    "board_name": ["bird", "lion"],
    "placement": [f"{one}g8{other}h8" for one in "RYB" for other in "RYB"],
    "text": ["hello"],
    "expected_ply": [0],
    "pile": [0, 1],
    "after_sequence": [0, 1, 3],
}
"""Without these hardly any call would come far."""


def messages(descriptor: Descriptor) -> st.SearchStrategy[Message]:
    """Any message of a kind; some fields make sense more often than not."""
    made: type[Message] = GetMessageClass(descriptor)
    fields = {field.name: _values(field) for field in descriptor.fields}
    # Of a oneof the last one given stays, so any mixture is a message.
    needed = {
        name: values
        for name, values in fields.items()
        if name in _SENSIBLE and not descriptor.fields_by_name[name].containing_oneof
    }
    others = {name: values for name, values in fields.items() if name not in needed}
    return st.fixed_dictionaries(needed, optional=others).map(lambda values: made(**values))


def _values(field: FieldDescriptor) -> st.SearchStrategy[Any]:
    one = _one(field)
    return st.lists(one, max_size=3) if field.is_repeated else one


def _one(field: FieldDescriptor) -> st.SearchStrategy[Any]:
    if field.message_type is not None:
        return messages(field.message_type)
    if field.enum_type is not None:
        return st.sampled_from([*(value.number for value in field.enum_type.values), 77])
    kinds: dict[int, st.SearchStrategy[Any]] = {
        FieldDescriptor.TYPE_STRING: _TEXTS,
        FieldDescriptor.TYPE_BYTES: _BYTES,
        FieldDescriptor.TYPE_BOOL: st.booleans(),
        FieldDescriptor.TYPE_UINT32: _NUMBERS,
    }
    odd = kinds[field.type]
    if field.is_repeated or field.name not in _SENSIBLE:
        return odd
    sensible = st.sampled_from(_SENSIBLE[field.name])
    return _mostly(sensible, odd)


class Shot(NamedTuple):
    """One call of a burst."""

    method: MethodDescriptor
    body: bytes | Message
    """Bytes are sent as they are, whatever they mean."""
    who: int
    """Which of the callers of the burst."""

    def __repr__(self) -> str:
        return f"{self.method.name} by {self.who}: {self.raw[:200]!r} ({len(self.raw)} bytes)"

    @property
    def raw(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else self.body.SerializeToString()

    @property
    def path(self) -> str:
        return f"/{self.method.containing_service.full_name}/{self.method.name}"


def shots(callers: int) -> st.SearchStrategy[Shot]:
    """Any call of any method."""
    return st.sampled_from(METHODS).flatmap(lambda method: shots_at(method, callers))


def shots_at(method: MethodDescriptor, callers: int) -> st.SearchStrategy[Shot]:
    """Any call of one method; some cannot be read, or hardly."""
    whole = messages(method.input_type)
    broken = st.tuples(whole, st.integers(0, 60), st.binary(max_size=6)).map(
        lambda parts: parts[0].SerializeToString()[: parts[1]] + parts[2]
    )
    who = _mostly(st.integers(0, 1), st.integers(0, callers - 1))
    return st.builds(Shot, st.just(method), _mostly(whole, broken), who)


def _mostly(usual: st.SearchStrategy[Any], rare: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    # `one_of` would merge equal branches and give the rare ones the same weight.
    return st.integers(0, 9).flatmap(lambda number: rare if number == 9 else usual)
