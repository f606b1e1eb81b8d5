"""A `qin` command on a pseudo-terminal, as a person would start it."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

SECONDS = 30


class OnTerminal:
    """What the command wrote so far, and keys for it."""

    def __init__(self, process: subprocess.Popen[bytes], terminal: int) -> None:
        self.process = process
        self.written = ""
        self._terminal = terminal

    def send(self, keys: str) -> None:
        os.write(self._terminal, keys.encode())

    def until(self, text: str) -> str:
        """Wait until it has written a text; what came before it is gone then."""
        end = time.monotonic() + SECONDS
        while text not in self.written:
            if not self._read(end - time.monotonic()):
                raise AssertionError(f"it never wrote {text!r}:\n{self.written}")
        before, _, self.written = self.written.partition(text)
        return before

    def ended(self) -> int:
        """Wait for its end; its exit code."""
        end = time.monotonic() + SECONDS
        while self._read(end - time.monotonic()):
            pass
        return self.process.wait(SECONDS)

    def _read(self, seconds: float) -> bool:
        if not select.select([self._terminal], [], [], max(0.0, seconds))[0]:
            return False
        try:
            read = os.read(self._terminal, 65536)
        except OSError:  # Linux says so when the other end is closed
            return False
        self.written += read.decode(errors="replace")
        return bool(read)


@contextmanager
def on_terminal(home: Path, *arguments: object, **environment: str) -> Iterator[OnTerminal]:
    """A command that runs on a terminal of 80 x 24."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    own = {"HOME": str(home), "XDG_DATA_HOME": str(home / "data"), "TERM": "xterm-256color"}
    cleared = {key: value for key, value in os.environ.items() if not key.startswith("QIN_")}
    process = subprocess.Popen(
        [sys.executable, "-m", "qin.cli", *map(str, arguments)],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**cleared, **own, **environment},
        start_new_session=True,
    )
    os.close(theirs)
    try:
        yield OnTerminal(process, ours)
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        os.close(ours)
