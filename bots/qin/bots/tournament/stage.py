"""A process that plays games, one after the other: `python -m qin.bots.tournament.stage DESK`.

A job is a line on standard input, its result a line on standard output. What bots print goes
nowhere. When the input ends, whoever started this process is gone, and it ends, too.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import TextIO

from qin.bots.spec import PythonBot, Spec
from qin.bots.tournament.desk import WORDS, Desk
from qin.bots.tournament.games import Job
from qin.bots.tournament.memory import limit_memory
from qin.bots.tournament.pipes import own_input, own_output
from qin.bots.tournament.referee import Known, Referee
from qin.bots.tournament.settings import Ground
from qin.engine import Board


class _Makers(defaultdict[str, Callable[[], PythonBot]]):
    """Bots by their specs. Each is loaded once, when it is first needed."""

    def __missing__(self, spec: str) -> Callable[[], PythonBot]:
        self[spec] = cache(Spec.parse(spec).load_python)
        return self[spec]


def main() -> None:
    words = os.fdopen(os.dup(2), "w", encoding="utf-8")
    try:
        _play()
    except Exception:
        traceback.print_exc(file=words)  # where the watchdog finds it
        raise


def _play() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for who started this process
    answers = own_output()
    desk = Desk(Path(sys.argv[1]))
    makers = _Makers()
    board = cache(_board)
    for line in _lines(Path(sys.argv[1])):
        facts = json.loads(line)
        job = Job.from_json(facts["job"])
        limit_memory(job.megabytes)
        desk.clear()
        result = Referee(job, board(job.ground), desk, Known.from_json(facts["known"])).play(makers)
        desk.clear()
        answers.write(json.dumps({"line": result.line(), "record": result.record}) + "\n")
        answers.flush()


def _board(ground: Ground) -> Board:
    return ground.board()


def _lines(desk: Path) -> Iterator[str]:
    """What comes in. A thread of its own reads, and ends the process even while a bot thinks."""
    waiting: SimpleQueue[str] = SimpleQueue()
    Thread(target=partial(_read, own_input(), waiting, desk), daemon=True).start()
    while True:
        yield waiting.get()


def _read(source: TextIO, waiting: SimpleQueue[str], desk: Path) -> None:
    for line in source:
        waiting.put(line)
    # Whoever made the desk was killed, or it would have ended this process before.
    with suppress(OSError):
        for path in (desk, desk.with_name(WORDS)):
            path.unlink()
        desk.parent.rmdir()
    os._exit(0)


if __name__ == "__main__":
    main()
