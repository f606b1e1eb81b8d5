"""Every refusal that a client can meet: a canonical code, a stable word, a sentence, some facts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status
from grpc import StatusCode
from grpc_status import rpc_status
from qin.engine import Refused
from qin.engine.spaces import format_spaces
from qin.server.store import StoreError
from qin.v1 import types_pb2 as pb

DOMAIN = "qin.v1"

LONGEST = 300
"""Of a sentence; some quote what the client sent, and trailers have little room."""

CODES = {
    StatusCode.INVALID_ARGUMENT: (
        "BAD_BOARD",
        "BAD_DEAL",
        "BAD_MESSAGE",
        "BAD_NAME",
        "BAD_NONCE",
        "BAD_PAGE_TOKEN",
        "BAD_PLACEMENT",
        "BAD_REQUEST_ID",
        "BAD_SEAT",
        "BAD_SETTINGS",
        "BAD_TEXT",
        "BAD_TOKEN",
        "NO_COMMAND",
    ),
    StatusCode.UNAUTHENTICATED: ("PASSWORD_WRONG", "TOKEN_MISSING"),
    StatusCode.PERMISSION_DENIED: (
        "CODE_WRONG",
        "DEALS_NOT_ALLOWED",
        "NOT_OWNER",
        "NOT_SEATED",
        "NO_SPECTATORS",
        "ONLY_STANDS_IN",
        "TICKET_WRONG",
    ),
    StatusCode.NOT_FOUND: ("NO_SUCH_BOT", "NO_SUCH_RECORD", "NO_SUCH_TABLE", "NO_SUCH_WATCH"),
    StatusCode.ALREADY_EXISTS: ("ALREADY_WATCHED", "REQUEST_ID_REUSED"),
    StatusCode.ABORTED: ("STALE_PLY",),
    StatusCode.OUT_OF_RANGE: ("SEQUENCE_UNKNOWN",),
    StatusCode.FAILED_PRECONDITION: (
        "EMPTY_PILE",
        "GAME_OVER",
        "JOINS_MAJORS",
        "NOT_ADJACENT",
        "NOT_FINISHED",
        "NOT_GRASSLAND",
        "NOT_IN_HAND",
        "NOT_OPEN",
        "NOT_YOUR_TURN",
        "NO_CONTACT",
        "NO_FREE_SEAT",
        "NO_GAME",
        "OUT_OF_GAME",
        "SEATS_FREE",
        "SEAT_TAKEN",
        "TIED_JOIN",
    ),
    StatusCode.RESOURCE_EXHAUSTED: (
        "BOT_BUSY",
        "STORE_FULL",
        "TOO_MANY_COMMANDS",
        "TOO_MANY_REQUESTS",
        "TOO_MANY_TABLES",
        "TOO_MANY_WATCHERS",
    ),
    StatusCode.UNAVAILABLE: ("STOPPING", "STORE_FAILED"),
    StatusCode.INTERNAL: ("INTERNAL",),
}
"""Every reason by its code; docs/protocol.md explains each."""

_CODE_OF = {reason: code for code, reasons in CODES.items() for reason in reasons}


class Problem(Exception):
    """A request that is refused. Nothing has changed."""

    def __init__(self, reason: str, message: str, **metadata: object) -> None:
        message = message if len(message) <= LONGEST else f"{message[: LONGEST - 1]}…"
        super().__init__(message)
        self.code = _CODE_OF[reason]
        self.reason = reason
        self.message = message
        self.metadata: Mapping[str, str] = {name: str(value) for name, value in metadata.items()}

    @classmethod
    def of(cls, refused: Refused) -> Problem:
        """What the rules refuse, in the words of the wire."""
        reason = refused.reason.value.upper().replace("-", "_")
        if not refused.spaces:
            return cls(reason, str(refused))
        return cls(reason, str(refused), spaces=format_spaces(refused.spaces))

    @classmethod
    def of_store(cls, error: StoreError) -> Problem:
        """What the store cannot do."""
        return cls("STORE_FULL" if error.full else "STORE_FAILED", str(error))

    def status(self) -> grpc.Status:
        """For a failed call."""
        info = ErrorInfo(reason=self.reason, domain=DOMAIN, metadata=self.metadata)
        detail = AnyMessage()
        detail.Pack(info)
        number: int = self.code.value[0]
        return rpc_status.to_status(Status(code=number, message=self.message, details=[detail]))

    def message_for_session(self) -> pb.Problem:
        """For an answer within a session."""
        number: int = self.code.value[0]
        return pb.Problem(
            code=number, reason=self.reason, message=self.message, metadata=self.metadata
        )


def refuse(reason: str, message: str, **metadata: object) -> NoReturn:
    raise Problem(reason, message, **metadata)
