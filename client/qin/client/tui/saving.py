"""The record of a finished game, written into a file; never over another one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import aclosing
from itertools import count
from pathlib import Path

from qin.client.client import Client
from qin.client.table import Table
from qin.engine import QinError


async def save_record(
    client: Client, table: Table, *, record_id: str, game: int, path: str = ""
) -> str:
    """Save the game, the last one if no record is named; returns what the file is called.

    Without a path the file is named after the table and the game. A rematch counts its games
    from one again, so that name may be taken by another game.
    """
    record_id = record_id or await _last_record(client, table)
    if not record_id:
        raise QinError("there is no finished game to save")
    text = await client.record(record_id)
    if path:
        if not _written(path, text):
            raise QinError(f"{path} is there already; name another file")
        return path
    return next(name for name in _names(f"qin-{table.table_id}-{game}") if _written(name, text))


async def _last_record(client: Client, table: Table) -> str:
    async with aclosing(client.records(table.table_id)) as records:
        async for info in records:
            return info.record_id
    return ""


def _names(stem: str) -> Iterator[str]:
    yield f"{stem}.qin"
    for number in count(2):
        yield f"{stem}-{number}.qin"


def _written(name: str, text: str) -> bool:
    """Whether the file holds the text now; a file with anything else in it is left alone."""
    file = Path(name).expanduser()
    try:
        with file.open("xb") as opened:
            opened.write(text.encode())
    except FileExistsError:
        return file.is_file() and file.read_bytes() == text.encode()
    return True
