"""How a command fails: one line on stderr, exit code 1."""

from __future__ import annotations

from typing import IO, Any

import click
from qin.engine.words import printable

_LONGEST = 500
"""More than any message of ours has; a hostile file can make longer ones."""


class Failure(click.ClickException):
    """What went wrong, where, and what to do next."""

    def show(self, file: IO[Any] | None = None) -> None:
        text = printable(self.message)
        if len(text) > _LONGEST:
            text = text[:_LONGEST] + " …"
        if file is None:
            click.echo(text, err=True)
        else:
            click.echo(text, file=file)
