"""Options that several commands share."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
from qin.cli.files import read_board
from qin.engine import SEATS, Board, board_names

Command = TypeVar("Command", bound=Callable[..., Any])

_SEEDS = 2**32


class BoardType(click.ParamType):  # type: ignore[type-arg]  # generic in newer clicks only
    """A board by its name or its file; a known name wins."""

    name = "board"

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        del param, ctx
        return "NAME|FILE"

    def convert(
        self, value: str | Board, param: click.Parameter | None, ctx: click.Context | None
    ) -> Board:
        if isinstance(value, Board):
            return value
        if value in board_names():
            return Board.named(value)
        path = Path(value)
        if value and path.exists():
            return read_board(path)
        return self.fail(
            f"there is no board and no file {value!r};"
            f" the boards are {', '.join(board_names())}, or give the file of your own",
            param,
            ctx,
        )


BOARD = BoardType()
PLAYERS = click.IntRange(SEATS[0], SEATS[-1])


def board_option(command: Command) -> Command:
    return click.option(
        "--board",
        type=BOARD,
        default=board_names()[0],
        show_default=True,
        help="A board by its name, or a file of your own.",
    )(command)


def seed_option(command: Command) -> Command:
    return click.option(
        "--seed",
        type=int,
        default=lambda: secrets.randbelow(_SEEDS),
        show_default="drawn by lot, and printed",
        help="The same seed gives the same games.",
    )(command)


def json_option(command: Command) -> Command:
    return click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")(
        command
    )
