"""`qin boards`: what there is to play on."""

from __future__ import annotations

import json
from pathlib import Path

import click
from qin.cli.files import FILE, label, read_board
from qin.cli.options import BOARD, json_option
from qin.cli.table import drawn
from qin.engine import Board, Colour, Position, board_names, format_space, spaces_of
from qin.engine.board import WATER
from qin.engine.words import counted, printable


@click.group(short_help="List, show and check boards.", invoke_without_command=True)
@json_option
@click.pass_context
def boards(ctx: click.Context, as_json: bool) -> None:  # noqa: FBT001
    """List, show and check boards; alone it lists them.

    A board is a text file: . grassland, V village, ~ water, # no space, and
    R Y B start spaces. Every --board takes a name or such a file.

    \b
    Example:
      qin boards
      qin boards show lion
      qin boards check mine.txt
    """
    if ctx.invoked_subcommand is None:
        _print_list(as_json=as_json)
    elif as_json:
        raise click.UsageError(f"--json belongs behind {ctx.invoked_subcommand}", ctx)


@boards.command("list", short_help="List the boards that come with the game.")
@json_option
def list_boards(as_json: bool) -> None:  # noqa: FBT001
    """List the boards that come with the game.

    \b
    Example:
      qin boards list --json
    """
    _print_list(as_json=as_json)


@boards.command(short_help="Show a board.")
@click.argument("board", type=BOARD)
@json_option
def show(board: Board, as_json: bool) -> None:  # noqa: FBT001
    """Show a board, by its name or from a file.

    \b
    Example:
      qin boards show bird
      qin boards show mine.txt
    """
    if as_json:
        click.echo(json.dumps(_facts(board)))
        return
    click.echo(f"{board.name}: {_summary(board)}")
    click.echo(drawn(Position.start(board, 2)))


@boards.command(short_help="Check files of boards.")
@click.argument("files", metavar="FILE...", type=FILE, nargs=-1, required=True)
def check(files: tuple[Path, ...]) -> None:
    """Check whether files hold boards; say the line and the reason where not.

    \b
    Example:
      qin boards check mine.txt
    """
    for path in files:
        board = read_board(path)
        click.echo(f"{printable(label(path))}: ok, {_summary(board)}")


def _print_list(*, as_json: bool) -> None:
    known = [Board.named(name) for name in board_names()]
    if as_json:
        click.echo(json.dumps([_facts(board) for board in known]))
        return
    width = max(len(board.name) for board in known)
    for board in known:
        click.echo(f"{board.name:<{width}}  {_summary(board)}")


def _summary(board: Board) -> str:
    water = "with water" if WATER in board.map else "no water"
    return f"{board.width} x {board.height}, {counted(len(board.villages), 'village')}, {water}"


def _facts(board: Board) -> dict[str, object]:
    return {
        "name": board.name,
        "width": board.width,
        "height": board.height,
        "villages": len(board.villages),
        "starts": {
            colour.word: [format_space(space) for space in spaces_of(board.starts[colour])]
            for colour in Colour
        },
        "map": board.map,
    }
