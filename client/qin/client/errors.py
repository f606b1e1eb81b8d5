"""What can go wrong between a client and a server, as a small tree of errors.

QinError
└── ClientError
    ├── ConnectError          nobody answers, or not any more
    │   ├── WrongServerError  somebody answers, with another certificate than the pin says
    │   └── NoTlsError        somebody answers, but not in TLS
    └── CallError             the server refuses: `reason` is a stable word, `facts` name the rest
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import grpc
import grpc.aio
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status
from qin.engine import QinError

NO_FACTS: Mapping[str, str] = MappingProxyType({})


class ClientError(QinError):
    """The root of everything that the client library raises on purpose."""


class ConnectError(ClientError):
    """A server that cannot be reached, or is not the one that it should be."""


class WrongServerError(ConnectError):
    """A server that shows another certificate than the pin says."""


class NoTlsError(ConnectError):
    """A server that answers, but not in TLS."""


class CallError(ClientError):
    """A call that the server refused; the message is the server's."""

    reason: str
    """A stable word, such as `NOT_YOUR_TURN`; docs/protocol.md lists them. Empty if gRPC itself
    refused."""
    facts: Mapping[str, str]
    """What the server names beside it, such as the spaces."""

    def __init__(self, message: str, reason: str = "", facts: Mapping[str, str] = NO_FACTS) -> None:
        super().__init__(message)
        self.reason = reason
        self.facts = facts


def refusal(error: grpc.aio.AioRpcError) -> CallError:
    """What a server says when it refuses a call."""
    info = _info(error)
    if info.reason == "PASSWORD_WRONG":
        text = "this server wants its password; give it in QIN_PASSWORD"
    else:
        text = error.details() or f"the server answers {error.code().name}"
    return CallError(text, info.reason, dict(info.metadata))


def unreachable(error: grpc.aio.AioRpcError) -> ConnectError:
    """That nobody answers, without the path that gRPC took to find out."""
    why = (error.details() or error.code().name).rsplit(": ", 1)[-1]
    return ConnectError(f"the server does not answer: {why}")


def _info(error: grpc.aio.AioRpcError) -> ErrorInfo:
    info = ErrorInfo()
    for key, value in error.trailing_metadata() or ():
        if key == "grpc-status-details-bin" and isinstance(value, bytes):
            for detail in Status.FromString(value).details:
                if detail.Unpack(info):
                    return info
    return info
