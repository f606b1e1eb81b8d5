"""Seats that are kept when one quits: a small file that nobody else may read.

Whoever has the token of a seat has the seat.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

from qin.client.state import TableState

_MOST = 20
_VERSION = 1


@dataclass(frozen=True, slots=True)
class KeptSeat:
    """A seat at a table, and the way back to it."""

    table: str
    token: str
    address: str
    """The server's address, with its pin; empty where this machine serves by itself."""
    place: str = ""
    """Which of this machine's own games it is in; empty for other servers."""
    owner: bool = False
    board: str = ""
    players: str = ""
    """Who sits there, for people to know it by."""
    bots: str = ""
    """The bots that are needed to go on here, one a line."""


class SeatKeeper:
    """Reads and writes the file. One that cannot be read holds no seats."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def seats(self) -> list[KeptSeat]:
        """All seats, the latest first."""
        try:
            content = json.loads(self._path.read_text("utf-8"))
            return [_seat(each) for each in content["seats"]]
        except (OSError, ValueError, KeyError, TypeError):
            return []

    def find(self, address: str, table: str) -> KeptSeat | None:
        """The seat at a table of another server."""
        for kept in self.seats():
            if (kept.address, kept.table) == (address, table):
                return kept
        return None

    def keep(self, seat: KeptSeat) -> None:
        self._write([seat, *self._without(seat)][:_MOST])

    def forget(self, seat: KeptSeat) -> None:
        kept = self._without(seat)
        if len(kept) != len(self.seats()):
            self._write(kept)

    def _without(self, seat: KeptSeat) -> list[KeptSeat]:
        return [kept for kept in self.seats() if kept.token != seat.token]

    def _write(self, seats: list[KeptSeat]) -> None:
        """In one step, and never readable for others, not even for a moment."""
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        text = json.dumps({"version": _VERSION, "seats": list(map(asdict, seats))}, indent=1)
        handle, name = tempfile.mkstemp(dir=self._path.parent, prefix=self._path.name)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            Path(name).replace(self._path)
        except OSError:
            with contextlib.suppress(OSError):
                Path(name).unlink()
            raise


class Keeping:
    """One seat in the file while somebody sits there, told by those who are at the table.

    It is written as soon as it is known, not on leaving: a process may be killed.
    """

    def __init__(self, keeper: SeatKeeper, seat: KeptSeat) -> None:
        self._keeper = keeper
        self.seat = seat
        keeper.keep(seat)

    def see(self, state: TableState) -> None:
        chairs = state.table.seats
        others = [chair.name for chair in chairs if chair.name and chair.seat - 1 != state.seat]
        told = f"with {', '.join(others)}" if others else "with nobody yet"
        seat = replace(self.seat, board=state.board.name, players=told)
        if seat != self.seat:
            self.seat = seat
            self._keeper.keep(seat)

    def forget(self) -> None:
        self._keeper.forget(self.seat)


def _seat(content: dict[str, object]) -> KeptSeat:
    known = {field.name for field in fields(KeptSeat)}
    seat = KeptSeat(**{key: value for key, value in content.items() if key in known})  # type: ignore[arg-type]
    if not all(isinstance(getattr(seat, name), str) for name in known - {"owner"}):
        raise TypeError("a seat is kept in texts")
    return seat
