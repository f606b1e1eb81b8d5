"""A terminal's screen as a picture: SVG, small, and legible in any monospaced font."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple
from xml.sax.saxutils import escape

import pyte
from pyte.screens import Char

WIDTH, HEIGHT = 8, 17
"""Of one character."""
MARGIN = 12
BASELINE = 13
INK, PAPER = "#d8d8d8", "#161a1d"
FONT = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"


class Look(NamedTuple):
    """How a character is drawn."""

    ink: str
    paper: str
    bold: bool
    underlined: bool


def svg(screen: pyte.Screen, title: str) -> str:
    """The picture of a screen. Runs of one look are one element, each as wide as it has to be."""
    width = screen.columns * WIDTH + 2 * MARGIN
    height = screen.lines * HEIGHT + 2 * MARGIN
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="{height}" rx="8" fill="{PAPER}"/>',
        f'<g font-family="{FONT}" font-size="13.3" fill="{INK}">',
    ]
    for row in range(screen.lines):
        lines += _row(screen, row)
    return "\n".join([*lines, "</g>", "</svg>", ""])


def _row(screen: pyte.Screen, row: int) -> Iterator[str]:
    y = MARGIN + row * HEIGHT
    cells = [screen.buffer[row][column] for column in range(screen.columns)]
    column = 0
    words = []
    for look, run in groupby(cells, _look):
        text = "".join(cell.data or " " for cell in run)
        x = MARGIN + column * WIDTH
        column += len(text)
        if look.paper != PAPER:
            size = f'width="{len(text) * WIDTH}" height="{HEIGHT}"'
            yield f'<rect x="{x}" y="{y}" {size} fill="{look.paper}"/>'
        words += list(_words(look, text, x, y))
    yield from words


def _words(look: Look, text: str, x: int, y: int) -> Iterator[str]:
    """Parted where there is more than one blank: not every program keeps those."""
    style = f' fill="{look.ink}"' if look.ink != INK else ""
    style += ' font-weight="bold"' if look.bold else ""
    style += ' text-decoration="underline"' if look.underlined else ""
    for word in re.finditer(r"\S+(?: \S+)*", text):
        shown = word[0]
        # Whatever font there is, each character comes to stand in its column.
        length = f' textLength="{len(shown) * WIDTH}"' if len(shown) > 1 else ""
        place = f'x="{x + word.start() * WIDTH}" y="{y + BASELINE}"'
        yield f"<text {place}{length}{style}>{escape(shown)}</text>"


def _look(cell: Char) -> Look:
    ink, paper = _colour(cell.fg, INK), _colour(cell.bg, PAPER)
    if cell.reverse:
        ink, paper = paper, ink
    return Look(ink, paper, cell.bold, cell.underscore)


def _colour(name: str, usual: str) -> str:
    return usual if name == "default" else f"#{name}"
