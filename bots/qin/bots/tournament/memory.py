"""How much memory this process holds, and may hold. Where the system tells neither, nothing is."""

from __future__ import annotations

import contextlib
import os
import sys

if sys.platform != "win32":
    import resource

_STATM = "/proc/self/statm"
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


class _Gauge:
    """Reads what the process holds, through a file that stays open: a few microseconds."""

    def __init__(self) -> None:
        self._file = -1
        with contextlib.suppress(OSError):
            self._file = os.open(_STATM, os.O_RDONLY)

    def __call__(self) -> int:
        if self._file < 0:
            return 0
        # Total, resident, shared, text, library, data: the resident pages are the second number.
        return int(os.pread(self._file, 100, 0).split()[1]) * _PAGE


held_bytes = _Gauge()


def limit_memory(megabytes: int) -> None:
    """From here on more memory is refused, which Python tells as a MemoryError."""
    if sys.platform != "win32":
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (_within(megabytes, hard), hard))


def limit_memory_of(process: int, megabytes: int) -> None:
    """The same for another process, where the system can do that."""
    if sys.platform == "linux":
        with contextlib.suppress(ProcessLookupError):
            _, hard = resource.prlimit(process, resource.RLIMIT_DATA)
            limits = _within(megabytes, hard), hard
            resource.prlimit(process, resource.RLIMIT_DATA, limits)


def _within(megabytes: int, hard: int) -> int:
    """In bytes, as far as the system's own limit allows."""
    wanted = megabytes * 1024 * 1024
    return wanted if hard == -1 else min(wanted, hard)
