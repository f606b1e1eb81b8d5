"""Plays games in a process of its own, and ends that process when a bot in it hangs."""

from __future__ import annotations

import contextlib
import json
import queue
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Lock, Thread
from time import monotonic
from typing import IO, Self

from qin.bots.tournament.desk import NOBODY, WORDS, Desk, Note
from qin.bots.tournament.games import CRASH, SILENCE, Fault, Job, Result
from qin.bots.tournament.referee import Known
from qin.engine import QinError

GRACE = 1.0
"""How much longer than it may a bot can take to answer late, and be told so, before it is ended."""
_START_SECONDS = 60.0
"""How long a process may take to start, and to do what is not a bot's work."""
_ATTEMPTS = 3
"""So often a game is tried when its process ends and no bot is to blame."""


class StageError(QinError):
    """Games cannot be played here at all."""


class Stopped(QinError):
    """The tournament is being stopped, and this game comes to nothing."""


class Stage:
    """A process that plays games. It is started when first needed, and again after every fault."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="qin-stage-")
        self._path = Path(self._folder.name) / "desk"
        self._words = Path(self._folder.name) / WORDS
        self._desk = Desk.make(self._path)
        self._process: subprocess.Popen[bytes] | None = None
        self._answers: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._closing = False

    def play(self, job: Job) -> Result:
        """Play a game to its end, with as many fresh processes as its bots make necessary."""
        known = Known()
        unexplained = 0
        while True:
            outcome = self._attempt(job, known)
            if isinstance(outcome, Result):
                if len(outcome.faults) > len(known.faults):
                    self.stop()  # who knows what a bot at fault has left behind
                return outcome
            self.stop()
            if outcome.faults == known.faults:
                unexplained += 1
                if unexplained == _ATTEMPTS:
                    raise StageError(
                        f"game {job.game}: the process that plays it ended {_ATTEMPTS} times,"
                        f" and no bot was at work; {self._last_words()}"
                    )
            known = outcome

    def stop(self) -> None:
        """End the process, whatever it is doing."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        assert process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()

    def interrupt(self) -> None:
        """End the process from another thread; the game that is on comes to nothing."""
        self._closing = True
        if process := self._process:
            process.kill()

    def close(self) -> None:
        self.stop()
        self._desk.close()
        self._folder.cleanup()

    # ---- one attempt ---------------------------------------------------------------------------

    def _attempt(self, job: Job, known: Known) -> Result | Known:
        """The result, or what is known better now that the process had to be given up."""
        self._desk.clear()
        message = json.dumps({"job": job.to_json(), "known": known.to_json()}).encode() + b"\n"
        process = self._started()
        began = monotonic()
        assert process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # then there is no answer, either
            process.stdin.write(message)
            process.stdin.flush()
        wait = job.seconds + GRACE
        while True:
            try:
                answer = self._answers.get(timeout=max(0.01, wait))
            except queue.Empty:
                note = self._desk.read()
                limit = job.seconds + GRACE if note.seat != NOBODY else _START_SECONDS
                wait = limit - (monotonic() - (note.since or began))
                if wait > 0:
                    continue
                return self._given_up(job, known, note)
            if answer:
                facts = json.loads(answer)
                return replace(Result.parse(facts["line"]), record=facts["record"])
            if self._closing:
                raise Stopped("the tournament was stopped")
            return self._ended_by_itself(known)

    def _given_up(self, job: Job, known: Known, seen: Note) -> Known:
        self.stop()
        note = self._desk.read()
        if note[:3] != seen[:3] or note.seat == NOBODY:
            return Known(note.placed, known.faults)  # it answered at the last moment
        return _blamed(known, note, SILENCE, f"no answer within {job.seconds:g} seconds")

    def _ended_by_itself(self, known: Known) -> Known:
        assert self._process is not None
        status = self._process.wait()
        note = self._desk.read()
        if note.seat == NOBODY:
            return Known(note.placed or known.placed, known.faults)
        how = f"by signal {-status}" if status < 0 else f"with status {status}"
        return _blamed(known, note, CRASH, f"its process ended {how}")

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            # A new queue, so that nothing of an earlier process can be taken for its answer.
            self._answers = queue.SimpleQueue()
            with self._words.open("wb") as words:
                self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
                    [sys.executable, "-m", "qin.bots.tournament.stage", str(self._path)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=words,
                )
            assert self._process.stdout is not None
            Thread(target=_listen, args=(self._process.stdout, self._answers), daemon=True).start()
        return self._process

    def _last_words(self) -> str:
        words = self._words.read_text("utf-8", errors="replace").strip().splitlines()
        return f"it said: {words[-1]}" if words else "it said nothing"


def _listen(source: IO[bytes], answers: queue.SimpleQueue[bytes]) -> None:
    """Hand on the lines of a process; an empty one says that there are no more."""
    with source:
        for line in source:
            answers.put(line)
    answers.put(b"")


def _blamed(known: Known, note: Note, reason: str, detail: str) -> Known:
    fault = Fault(note.seat + 1, reason, note.ply, detail)
    return Known(note.placed, (*known.faults, fault))


class Stages:
    """Processes that play games, as many as there are games at a time."""

    def __init__(self) -> None:
        self._idle: list[Stage] = []
        self._all: list[Stage] = []
        self._lock = Lock()

    def play(self, job: Job) -> Result:
        with self._one() as stage:
            return stage.play(job)

    @contextmanager
    def _one(self) -> Iterator[Stage]:
        with self._lock:
            if not self._idle:
                self._idle.append(Stage())
                self._all.append(self._idle[-1])
            stage = self._idle.pop()
        try:
            yield stage
        finally:
            with self._lock:
                self._idle.append(stage)

    def interrupt(self) -> None:
        """End all processes at once; games that are on come to nothing."""
        with self._lock:
            for stage in self._all:
                stage.interrupt()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            for stage in self._all:
                stage.close()
