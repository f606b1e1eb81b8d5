"""`qin bot list`: the bots that have a name."""

from __future__ import annotations

import inspect
import json

import click
from qin.bots import Spec, SpecError, known_bots
from qin.bots.spec import bot_class
from qin.cli.options import json_option
from qin.engine.words import printable


@click.command("list", short_help="List the bots that have a name.")
@json_option
def list_bots(as_json: bool) -> None:  # noqa: FBT001
    """List the bots that come along, and those that other packages bring.

    \b
    Example:
      qin bot list
    """
    rows = [(name, origin, *_told(name)) for name, origin in sorted(known_bots().items())]
    if as_json:
        keys = ("name", "from", "about", "parameters")
        click.echo(json.dumps([dict(zip(keys, row, strict=True)) for row in rows]))
        return
    width = max(len(name) for name, *_ in rows)
    for name, origin, about, parameters in rows:
        brought = "" if origin == "qin-game" else f" ({origin})"
        click.echo(printable(f"{name:<{width}}  {about}{brought}"))
        if parameters:
            click.echo(printable(f"{'':<{width}}  parameters: {', '.join(parameters)}"))


def _told(name: str) -> tuple[str, list[str]]:
    """What a bot says of itself in one line, and its parameters with their usual values."""
    try:
        found = bot_class(Spec.parse(name))
    except SpecError as error:
        return str(error), []
    about = (inspect.getdoc(found) or "").partition("\n")[0]
    parameters = [
        f"{each.name}={each.default}"
        for each in inspect.signature(found).parameters.values()
        if each.kind is each.KEYWORD_ONLY
    ]
    return about, parameters
