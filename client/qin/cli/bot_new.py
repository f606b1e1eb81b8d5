"""`qin bot new`: a bot to begin with."""

from __future__ import annotations

import re
from importlib.resources import files
from keyword import iskeyword
from pathlib import Path

import click
from qin.cli.failure import Failure
from qin.cli.files import FILE, label

_CLASS = "MyBot"


@click.command(short_help="Write a bot to begin with.")
@click.argument("file", type=FILE)
@click.option("--class", "name", default=_CLASS, show_default=True, help="What it is called.")
@click.option("--force", is_flag=True, help="Write over a file that is there.")
def new(file: Path, name: str, *, force: bool) -> None:
    """Write a commented bot into FILE, that plays and passes the check.

    \b
    Example:
      qin bot new mine.py
      qin bot check ./mine.py:MyBot
    """
    if file.suffix != ".py":
        raise click.UsageError(f"{file} is no Python file; its name must end with .py")
    if not name.isidentifier() or iskeyword(name):
        raise click.UsageError(f"{name!r} is no name for a class")
    if file.exists() and not force:
        raise Failure(f"{label(file)} is there already; give another name, or --force")
    template = files("qin.bots").joinpath("template.py").read_text("utf-8")
    file.write_text(re.sub(rf"\b{_CLASS}\b", name, template), "utf-8")
    path = file if file.is_absolute() or file.parts[:1] == (".",) else Path() / file
    shown = str(path) if path.is_absolute() else f"./{path}"
    click.echo(f"{label(file)} is written. Try it:\n  qin bot check {shown}:{name}")
