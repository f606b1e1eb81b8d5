"""Play the scripted session against a server, and compare every answer with the one expected.

    python run.py 127.0.0.1:50713            the script beside this file
    python run.py 127.0.0.1:50713 FILE       another one

It needs grpcio and googleapis-common-protos, and nothing of this project but the two files beside
it: `session.jsonl`, the script, and `qin-v1.binpb`, the contract. README.md tells how to read both.
"""
# ruff: noqa: INP001, T201 - a script that prints, not a package

from __future__ import annotations

import argparse
import json
import re
import secrets
import sys
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import grpc
from google.protobuf import json_format
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status

HERE = Path(__file__).parent
CONTRACT = HERE / "qin-v1.binpb"
SCRIPT = HERE / "session.jsonl"
PATIENCE = 20.0
"""Seconds to wait for anything that the script expects."""

Json = dict[str, Any]
_NAME = re.compile(r"\$([A-Z][A-Z0-9_]*)")


class Mismatch(Exception):
    """The server answered something else than the script expects."""


class Names:
    """What the `$NAMES` of a script stand for."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def learn(self, name: str, value: str) -> None:
        self._known[name] = value

    def fill(self, value: Any) -> Any:
        """A request with the names replaced by what they stand for."""
        if isinstance(value, str):
            return _NAME.sub(lambda found: self._known[found[1]], value)
        if isinstance(value, dict):
            return {key: self.fill(each) for key, each in value.items()}
        if isinstance(value, list):
            return [self.fill(each) for each in value]
        return value

    def compare(self, expected: Any, got: Any, where: str = "") -> None:
        """Raise `Mismatch` unless they are the same; learn what new names stand for."""
        if expected == "$ANY":
            return
        if isinstance(expected, str) and isinstance(got, str):
            self._compare_texts(expected, got, where)
        elif isinstance(expected, dict) and isinstance(got, dict):
            missing = expected.keys() - got.keys() - {"$MORE"}
            extra = set() if "$MORE" in expected else got.keys() - expected.keys()
            if missing or extra:
                problem = f"missing {sorted(missing)}, not expected {sorted(extra)}"
                raise Mismatch(f"{where or 'the message'}: {problem}")
            for key in got.keys() & expected.keys():
                self.compare(expected[key], got[key], f"{where}.{key}")
        elif isinstance(expected, list) and isinstance(got, list):
            if len(expected) != len(got):
                raise Mismatch(f"{where}: {len(expected)} expected, not {len(got)}")
            for number, (one, other) in enumerate(zip(expected, got, strict=True)):
                self.compare(one, other, f"{where}[{number}]")
        elif expected != got:
            raise Mismatch(f"{where}: {expected!r} expected, not {got!r}")

    def _compare_texts(self, expected: str, got: str, where: str) -> None:
        pattern, new = "", set[str]()
        for number, part in enumerate(_NAME.split(expected)):
            if number % 2 == 0:
                pattern += re.escape(part)
            elif part == "ANY":
                pattern += ".*?"
            elif part in self._known:
                pattern += re.escape(self._known[part])
            elif part in new:
                pattern += f"(?P={part})"
            else:
                pattern += f"(?P<{part}>.+?)"
                new.add(part)
        found = re.fullmatch(pattern, got, re.DOTALL)
        if found is None:
            raise Mismatch(f"{where}: {self._shown(expected)!r} expected, not {got!r}")
        self._known.update(found.groupdict())

    def _shown(self, text: str) -> str:
        return _NAME.sub(lambda found: self._known.get(found[1], found[0]), text)


class Contract:
    """The messages and methods of a descriptor set: all that a client knows of the server."""

    def __init__(self, path: Path = CONTRACT) -> None:
        self._pool = DescriptorPool()
        for file in FileDescriptorSet.FromString(path.read_bytes()).file:
            self._pool.Add(file)

    def service(self, name: str) -> ServiceDescriptor:
        return self._pool.FindServiceByName(name)

    def method(self, name: str) -> MethodDescriptor:
        """A method by its name, `qin.v1.InfoService/GetInfo`."""
        return self._pool.FindMethodByName(name.replace("/", "."))


class Stream:
    """An open call that streams: what has come is kept apart by field until it is expected."""

    def __init__(self, call: Any, requests: SimpleQueue[Message | None], parse: Any) -> None:
        self._call = call
        self._requests = requests
        self._parse = parse
        self._waiting: dict[str, deque[Any]] = defaultdict(deque)

    def send(self, request: Json) -> None:
        self._requests.put(self._parse(request))

    def take(self, field: str) -> Any:
        """The next thing in a field, as soon as it is there."""
        while not self._waiting[field]:
            message = next(self._call, None)
            if message is None:
                raise Mismatch(f"the stream ended; {field} was expected")
            for name, value in parts(to_json(message)):
                self._waiting[name].append(value)
        return self._waiting[field].popleft()

    def error(self) -> Json:
        """The error that the stream ends with."""
        try:
            message = next(self._call, None)
        except grpc.RpcError as error:
            return error_of(error)
        raise Mismatch(f"an error was expected, not {message}")

    def close(self) -> None:
        """Leave; what came but was never expected is a mismatch."""
        self._requests.put(None)
        self._call.cancel()
        left = {field: list(values) for field, values in self._waiting.items() if values}
        if left:
            raise Mismatch(f"not expected: {left}")


class Client:
    """Calls methods by name with requests and answers as JSON."""

    def __init__(self, contract: Contract, address: str) -> None:
        self._contract = contract
        self._channel = grpc.insecure_channel(address)

    def call(self, name: str, metadata: Mapping[str, str], request: Json) -> Json:
        method, parse = self._method(name)
        ask = self._channel.unary_unary(f"/{name}", _to_bytes, _reader(method))
        return to_json(ask(parse(request), metadata=tuple(metadata.items()), timeout=PATIENCE))

    def open(self, name: str, metadata: Mapping[str, str], request: Json | None) -> Stream:
        method, parse = self._method(name)
        requests: SimpleQueue[Message | None] = SimpleQueue()
        # The limit is for the whole stream; a script is over long before.
        options: Any = {"metadata": tuple(metadata.items()), "timeout": PATIENCE}
        if method.client_streaming:
            stream = self._channel.stream_stream(f"/{name}", _to_bytes, _reader(method))
            return Stream(stream(iter(requests.get, None), **options), requests, parse)
        watch = self._channel.unary_stream(f"/{name}", _to_bytes, _reader(method))
        return Stream(watch(parse(request or {}), **options), requests, parse)

    def close(self) -> None:
        self._channel.close()

    def _method(self, name: str) -> tuple[MethodDescriptor, Any]:
        method = self._contract.method(name)
        kind = GetMessageClass(method.input_type)
        return method, lambda request: json_format.ParseDict(request, kind())


class Session:
    """A script on its way: one step after the other, as the lines tell."""

    def __init__(self, client: Client) -> None:
        self.names = Names()
        self._client = client
        self._streams: dict[str, Stream] = {}

    def step(self, line: Json) -> None:
        if "kit" in line:
            for name, size in line["secrets"].items():
                self.names.learn(name, secrets.token_hex(size))
        elif "open" in line:
            method, metadata, request = self.filled(line)
            self._streams[line["open"]] = self._client.open(method, metadata, request)
        elif "send" in line:
            self._streams[line["on"]].send(self.names.fill(line["send"]))
        elif "receive" in line:
            for field, expected in parts(line["receive"]):
                got = self.take(line["on"], self.names.fill(field))
                self.names.compare(expected, got, field)
        elif "on" in line:
            self.names.compare(line["error"], self.error(line["on"]))
        elif "close" in line:
            self._streams.pop(line["close"]).close()
        else:
            self._call(line)

    def filled(self, line: Json) -> tuple[str, Json, Json]:
        metadata, request = line.get("metadata", {}), line.get("request", {})
        return line["method"], self.names.fill(metadata), self.names.fill(request)

    def take(self, stream: str, field: str) -> Any:
        return self._streams[stream].take(field)

    def error(self, stream: str) -> Json:
        return self._streams.pop(stream).error()

    def _call(self, line: Json) -> None:
        got = self.answer(line)
        kind = "error" if "error" in line else "response"
        if kind not in got:
            raise Mismatch(f"{kind} expected, not {got}")
        self.names.compare(line[kind], got[kind])

    def answer(self, line: Json) -> Json:
        """What a call gives: a response, or an error."""
        try:
            return {"response": self._client.call(*self.filled(line))}
        except grpc.RpcError as error:
            return {"error": error_of(error)}

    def end(self) -> None:
        for name in list(self._streams):
            self._streams.pop(name).close()


def parts(message: Json, before: str = "") -> Iterator[tuple[str, Any]]:
    """What a message of a stream holds, one by one, each with the field that it stands in.

    A server may put into one message what the script has in two, or the other way round; only the
    order within a field counts. Signs of life, and the table as it is now, come when they come, and
    are left out.
    """
    for field, value in message.items():
        if field == "updates":
            for update in value:
                yield from parts(update, f"{update.get('tableId', '')} ")
        elif field not in {"heartbeat", "table", "tableId"}:
            for each in value if isinstance(value, list) else [value]:
                yield before + field, each


def to_json(message: Message) -> Json:
    return json_format.MessageToDict(message)


def error_of(error: Any) -> Json:
    """The code, the reason and the facts of a failed call."""
    for key, value in error.trailing_metadata() or ():
        if key == "grpc-status-details-bin":
            info = ErrorInfo()
            Status.FromString(value).details[0].Unpack(info)
            facts = {"metadata": dict(info.metadata)} if info.metadata else {}
            return {"code": error.code().name, "reason": info.reason, **facts}
    return {"code": error.code().name, "message": error.details()}


def _to_bytes(message: Message) -> bytes:
    return message.SerializeToString()


def _reader(method: MethodDescriptor) -> Any:
    return GetMessageClass(method.output_type).FromString


def play(address: str, script: Path) -> int:
    """Play all lines; tells how many."""
    client = Client(Contract(), address)
    session = Session(client)
    lines = script.read_text("utf-8").splitlines()
    try:
        for number, text in enumerate(lines, start=1):
            line = json.loads(text)
            try:
                session.step(line)
            except (Mismatch, grpc.RpcError) as problem:
                raise Mismatch(f"line {number} ({line.get('note', '')}): {problem}") from None
        session.end()
    finally:
        client.close()
    return len(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("address", help="HOST:PORT of a server that allows given deals")
    parser.add_argument("script", nargs="?", type=Path, default=SCRIPT)
    arguments = parser.parse_args()
    try:
        count = play(arguments.address, arguments.script)
    except Mismatch as mismatch:
        print(mismatch, file=sys.stderr)
        return 1
    print(f"all {count} lines went as expected")
    return 0


if __name__ == "__main__":
    sys.exit(main())
