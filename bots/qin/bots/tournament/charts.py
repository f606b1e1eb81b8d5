"""Plots for the page about a tournament, as SVG in the page itself: no script, no other file."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

_WIDTH = 720
_LABEL = 190
_ROW = 30
_RIGHT = 60
_CHARACTERS = 26
_PALETTE = ("#1b6ca8", "#b3432b", "#2f7d4f", "#7a4a9e", "#a3741a", "#3f3f46")


class Bar(NamedTuple):
    """A value with what it may as well be."""

    label: str
    value: float
    low: float
    high: float
    text: str
    colour: int
    """Its number on the palette, so that a bot has the same one in every plot."""


class Line(NamedTuple):
    """How a value developed."""

    label: str
    points: Sequence[tuple[float, float]]


def bars(title: str, rows: Sequence[Bar], *, middle: float | None = None) -> str:
    """A dot with its error bar in each row; a dashed line where the middle is."""
    low = min([row.low for row in rows] + ([middle] if middle is not None else []))
    high = max([row.high for row in rows] + ([middle] if middle is not None else []))
    scale = _scale(low, high)
    height = _ROW * len(rows) + 40
    parts = []
    for number, row in enumerate(rows):
        y = _ROW * number + _ROW / 2 + 6
        colour = _PALETTE[row.colour % len(_PALETTE)]
        parts += [
            f'<text x="{_LABEL - 10}" y="{y + 4:.1f}" text-anchor="end">{_label(row.label)}</text>',
            (
                f'<line x1="{scale(row.low):.1f}" x2="{scale(row.high):.1f}" y1="{y:.1f}"'
                f' y2="{y:.1f}" stroke="{colour}" stroke-width="3" stroke-opacity="0.45"/>'
            ),
            (
                f'<circle cx="{scale(row.value):.1f}" cy="{y:.1f}" r="5" fill="{colour}">'
                f"<title>{escape(row.text)}</title></circle>"
            ),
        ]
    bottom = _ROW * len(rows) + 10
    if middle is not None:
        parts.append(
            f'<line x1="{scale(middle):.1f}" x2="{scale(middle):.1f}" y1="4" y2="{bottom}"'
            ' stroke="currentColor" stroke-dasharray="3 4" stroke-opacity="0.6"/>'
        )
    parts += [
        f'<text x="{_LABEL}" y="{bottom + 18}">{low:.4g}</text>',
        f'<text x="{_WIDTH - _RIGHT}" y="{bottom + 18}" text-anchor="end">{high:.4g}</text>',
    ]
    return _figure(title, height, parts)


def lines(title: str, series: Sequence[Line], *, foot: str) -> str:
    """Lines over the course of the tournament, from 0 to 1."""
    height, top, bottom = 300, 12, 250
    furthest = max(point[0] for line in series for point in line.points) or 1
    left, right = 50, _WIDTH - 170
    parts = []
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = bottom - share * (bottom - top)
        parts += [
            (
                f'<line x1="{left}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}" stroke="currentColor"'
                ' stroke-opacity="0.15"/>'
            ),
            f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{share:.0%}</text>',
        ]
    for number, line in enumerate(series):
        colour = _PALETTE[number % len(_PALETTE)]
        path = " ".join(
            f"{left + x / furthest * (right - left):.1f},{bottom - y * (bottom - top):.1f}"
            for x, y in _thinned(line.points)
        )
        y = top + 10 + 20 * number
        parts += [
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>',
            f'<rect x="{right + 14}" y="{y - 9}" width="10" height="10" fill="{colour}"/>',
            f'<text x="{right + 30}" y="{y}">{_label(line.label, 17)}</text>',
        ]
    parts.append(
        f'<text x="{(left + right) / 2}" y="{bottom + 30}" text-anchor="middle">'
        f"{escape(foot)}: {furthest:g}</text>"
    )
    return _figure(title, max(height, top + 30 + 20 * len(series)), parts)


def _thinned(points: Sequence[tuple[float, float]]) -> Sequence[tuple[float, float]]:
    """No more than the eye can tell apart, the last one always among them."""
    step = max(1, len(points) // 300)
    return [*points[:-1:step], points[-1]]


class _scale:  # noqa: N801 - used as a function
    """From a value to a place from left to right."""

    def __init__(self, low: float, high: float) -> None:
        self._low = low
        self._factor = (_WIDTH - _LABEL - _RIGHT) / (high - low or 1)

    def __call__(self, value: float) -> float:
        return _LABEL + (value - self._low) * self._factor


def _label(text: str, longest: int = _CHARACTERS) -> str:
    return escape(text if len(text) <= longest else f"{text[: longest - 1]}…")


def _figure(title: str, height: float, parts: Sequence[str]) -> str:
    return (
        f'<figure><figcaption>{escape(title)}</figcaption><svg viewBox="0 0 {_WIDTH} {height}"'
        f' role="img" aria-label="{escape(title)}">{"".join(parts)}</svg></figure>'
    )
