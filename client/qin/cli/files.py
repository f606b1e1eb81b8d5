"""Reading the files that a command is given. `-` is standard input."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import click
from qin.cli.failure import Failure
from qin.engine import Board, QinError

FILE = click.Path(path_type=Path, allow_dash=True)
_MOST_BYTES = 1_000_000
"""Boards and records are a few kilobytes; an endless device is neither."""


def label(path: Path) -> str:
    """What a message calls a file."""
    return "standard input" if str(path) == "-" else str(path)


def read_text(path: Path) -> str:
    """The text of a file, or a `Failure` that says why there is none."""
    try:
        if str(path) == "-":
            content = _standard_input().read(_MOST_BYTES + 1)
        else:
            with path.open("rb") as file:
                content = file.read(_MOST_BYTES + 1)
    except FileNotFoundError:
        raise Failure(f"{path}: there is no such file; check the path") from None
    except IsADirectoryError:
        raise Failure(f"{label(path)}: this is a folder; name a file in it") from None
    if len(content) > _MOST_BYTES:
        raise Failure(
            f"{label(path)}: more than {_MOST_BYTES:,} bytes; this is another kind of file"
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise Failure(
            f"{label(path)}: line {line}: byte 0x{content[error.start]:02x} is not UTF-8 text;"
            " this is another kind of file"
        ) from None


def read_board(path: Path) -> Board:
    """The board in a file, named after it."""
    with blamed_on(path):
        return Board.parse(read_text(path), name=_board_name(path))


@contextmanager
def blamed_on(path: Path) -> Iterator[None]:
    """Whatever the engine finds wrong in here is wrong in this file."""
    try:
        yield
    except QinError as error:
        raise Failure(f"{label(path)}: {error}") from None


def _standard_input() -> BinaryIO:
    if sys.stdin is None:
        raise Failure("standard input is closed; pipe a file into it, or name one")
    return sys.stdin.buffer


def _board_name(path: Path) -> str:
    """The name of the file, as far as a tag of a record can hold it."""
    kept = [letter if letter.isprintable() and letter not in '"\\' else "-" for letter in path.stem]
    return "".join(kept).strip() or "custom"
