"""Plays the matches that show how strong the bots are, and writes docs/strength.md.

Every game that ends is a line in the file of results, so that a run that was stopped goes on where
it was. Whoever changes a bot measures it `--afresh`.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

from matches import MATCHES, Result, Task, play_task
from report import page

_HERE = Path(__file__).resolve().parent
_PAGE = _HERE.parent.parent / "docs" / "strength.md"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="games at a time")
    parser.add_argument("--results", type=Path, default=_HERE / "results" / "results.jsonl")
    parser.add_argument("--page", type=Path, default=_PAGE, help="where to write what was found")
    parser.add_argument("--afresh", action="store_true", help="forget what was played before")
    options = parser.parse_args()
    path: Path = options.results
    if options.afresh:
        path.unlink(missing_ok=True)
    results = _read(path)
    known = {(result.match, result.deal, result.seat) for result in results}
    tasks = [task for task in _all_tasks() if (str(task.match), task.deal, task.seat) not in known]
    print(f"{len(known)} games are there, {len(tasks)} to play")
    stopped = False
    try:
        for result in _play(tasks, options.jobs, path):
            results.append(result)
    except KeyboardInterrupt:
        stopped = True
    text = page(results)
    options.page.write_text(text, encoding="utf-8")
    print(text)
    if stopped:
        print("stopped; go on with: make strength", file=sys.stderr)
    return 130 if stopped else 0


def _all_tasks() -> list[Task]:
    """Deal by deal, so that all rows grow alike: a run that was stopped tells something of each."""
    tasks = [task for match in MATCHES for task in match.tasks()]
    return sorted(tasks, key=lambda task: task.deal)


def _play(tasks: list[Task], jobs: int, path: Path) -> Iterator[Result]:
    if not tasks:
        return
    spawn = multiprocessing.get_context("spawn")
    workers = spawn.Pool(min(jobs, len(tasks)), signal.signal, (signal.SIGINT, signal.SIG_IGN))
    with workers as pool, path.open("a", encoding="utf-8") as file:
        for number, result in enumerate(pool.imap_unordered(play_task, tasks), start=1):
            file.write(json.dumps(result._asdict(), separators=(",", ":")) + "\n")
            file.flush()
            yield result
            if number % 50 == 0:
                print(f"{number} of {len(tasks)}", flush=True)


def _read(path: Path) -> list[Result]:
    """The results so far; a last line that was cut off when the run was stopped is removed."""
    if not path.exists():
        return []
    text = path.read_text("utf-8")
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        path.write_text(whole, encoding="utf-8")
    return [Result(**json.loads(line)) for line in whole.splitlines()]


if __name__ == "__main__":
    sys.exit(main())
