"""The folder of a tournament: its settings, a line a game, and a record a game.

What concerns a deal is written when its last game is over, not before: the same tiles come again
until then, and nobody shall read them here.
"""

from __future__ import annotations

import contextlib
import json
import sys
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Self

from qin.bots.tournament.games import Result, ResultError
from qin.bots.tournament.ledger import Ledger, Played
from qin.bots.tournament.settings import Settings, SettingsError
from qin.engine import QinError

if sys.platform != "win32":
    import fcntl

SETTINGS, RESULTS, RECORDS = "tournament.json", "results.jsonl", "records"
LOCK = ".lock"


class StoreError(QinError):
    """A folder that a tournament cannot use; the message says why and what to do."""


class Store:
    """A folder that is open for writing; one process at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / RECORDS).mkdir(exist_ok=True)
        self._lock = (folder / LOCK).open("ab")
        if sys.platform != "win32":
            try:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                self._lock.close()
                raise StoreError(
                    f"{folder}: another process plays this tournament; wait for it, or end it"
                ) from None
        self._results: IO[bytes] = (folder / RESULTS).open("ab")

    def write(self, played: Played) -> None:
        """Keep what came of a deal: first the records, then all lines with one write."""
        for result in played.results:
            _replace(record_path(self.folder, result.game), result.record)
        lines = "".join(f"{result.line()}\n" for result in played.results)
        self._results.write(lines.encode())
        self._results.flush()

    def finish(self, results: Iterable[Result]) -> None:
        """Put the lines in the order of the games, and take out what does not count."""
        kept = list(results)
        _replace(self.folder / RESULTS, "".join(f"{result.line()}\n" for result in kept))
        games = {_record_name(result.game) for result in kept}
        for path in (self.folder / RECORDS).glob("*.qin"):
            if path.name not in games:
                path.unlink()

    def tidy(self, ledger: Ledger) -> None:
        """Leave in the file what counts or may yet count, before more is added to it."""
        self._results.close()
        kept = sorted((*ledger.results, *ledger.ahead), key=lambda result: result.game)
        _replace(self.folder / RESULTS, "".join(f"{result.line()}\n" for result in kept))
        self._results = (self.folder / RESULTS).open("ab")

    def close(self) -> None:
        self._results.close()
        self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def create(folder: Path, settings: Settings) -> Store:
    """Begin a tournament in a folder that holds none; the folder is made if need be."""
    check_free(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise StoreError(f"{folder}: this is not a folder; name another one") from None
    # The settings come first: whenever it is stopped, there is nothing, or a tournament.
    _replace(folder / SETTINGS, str(settings))
    return Store(folder)


def check_free(folder: Path) -> None:
    """Whether a folder, which need not be there yet, can take a tournament."""
    if (folder / SETTINGS).exists():
        raise StoreError(
            f"{folder}: holds a tournament already; go on with it by"
            f" `qin tournament resume {folder}`, or name another folder"
        )
    present = [name for name in (RESULTS, RECORDS) if (folder / name).exists()]
    if present:
        raise StoreError(f"{folder}: holds {present[0]} of something else; name another folder")


def read_settings(folder: Path) -> Settings:
    path = folder / SETTINGS
    try:
        return Settings.from_json(json.loads(path.read_text("utf-8")))
    except (FileNotFoundError, NotADirectoryError):
        raise StoreError(
            f"{folder}: there is no tournament here; `qin tournament run` begins one"
        ) from None
    except (ValueError, SettingsError) as error:
        raise StoreError(f"{path}: {error}") from None


def read_ledger(folder: Path, settings: Settings) -> Ledger:
    """All that was played so far. Lines that were cut off, and deals that are not whole, are not.

    A line of some other tournament is an error, not a result.
    """
    ledger = Ledger(settings)
    gaps = False
    by_deal: dict[int, dict[int, Result]] = defaultdict(dict)
    for line in _lines(folder / RESULTS):
        with contextlib.suppress(ResultError):  # it was cut off, and is played again
            result = Result.parse(line)
            by_deal[result.deal][result.game] = result
    for deal in sorted(by_deal):
        if ledger.over:
            break  # the rest was played ahead of a decision that made it superfluous
        group = ledger.group(deal)
        if group is None and gaps:
            break  # a later round, while an earlier one is not complete
        games = by_deal[deal]
        if group is None or not all(map(ledger.expects, games.values())):
            raise StoreError(
                f"{folder / RESULTS}: game {min(games)} is not one of this tournament;"
                " the file belongs to another one, or was changed"
            )
        if set(games) == set(group.games) and all(
            record_path(folder, game).exists() for game in games
        ):
            for game in sorted(games):
                ledger.add(games[game])
        else:
            gaps = True
    return ledger


def record_path(folder: Path, game: int) -> Path:
    return folder / RECORDS / _record_name(game)


def _record_name(game: int) -> str:
    return f"{game:06}.qin"


def _lines(path: Path) -> list[str]:
    try:
        text = path.read_bytes().decode("utf-8", errors="replace")
    except FileNotFoundError:
        return []
    return text.split("\n")


def _replace(path: Path, text: str) -> None:
    """Write a file as a whole: whoever reads it sees the old one or the new one."""
    temporary = path.with_name(f".{path.name}.new")
    temporary.write_text(text, encoding="utf-8", newline="\n")
    temporary.replace(path)
