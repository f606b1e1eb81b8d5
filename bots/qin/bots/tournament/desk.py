"""What a process that plays games notes down for its watchdog, in memory that both share.

The watchdog reads it when a bot has not answered in time, or when the process is gone: who was at
work, since when, and what had been placed before. Writing a note takes a microsecond, so that
watching costs nothing while all is well.
"""

from __future__ import annotations

import mmap
import struct
from pathlib import Path
from typing import NamedTuple

_NOTE = struct.Struct("<dqqq")
_PLACED = 64
"""Where the placements begin; before it there is room for the note."""
SIZE = 4096
"""A game has 72 placements at most, of about ten letters each."""

NOBODY = -1
WORDS = "words"
"""The file beside the desk where a process says why it failed by itself."""


class Note(NamedTuple):
    """Who is at work."""

    since: float
    """By `time.monotonic()`, which is the same for all processes of a machine."""
    seat: int
    """From 0; NOBODY while no bot is asked."""
    ply: int
    placed: tuple[str, ...]
    """All placements so far."""


class Desk:
    """The shared memory: one process writes, the other reads."""

    def __init__(self, path: Path) -> None:
        with path.open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), SIZE)
        self._end = _PLACED

    @classmethod
    def make(cls, path: Path) -> Desk:
        path.write_bytes(bytes(SIZE))
        desk = cls(path)
        desk.clear()
        return desk

    def close(self) -> None:
        self._memory.close()

    def clear(self) -> None:
        self._end = _PLACED
        _NOTE.pack_into(self._memory, 0, 0.0, NOBODY, 0, 0)

    def at_work(self, since: float, seat: int, ply: int) -> None:
        _NOTE.pack_into(self._memory, 0, since, seat, ply, self._end - _PLACED)

    def placed(self, placement: str) -> None:
        word = f"{placement} ".encode()
        self._memory[self._end : self._end + len(word)] = word
        self._end += len(word)

    def read(self) -> Note:
        since, seat, ply, length = _NOTE.unpack_from(self._memory, 0)
        placed = self._memory[_PLACED : _PLACED + length].decode()
        return Note(since, seat, ply, tuple(placed.split()))
