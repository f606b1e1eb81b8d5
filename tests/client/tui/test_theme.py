"""Colours and glyphs: what the environment asks for, and that nothing hangs on colour alone."""

from __future__ import annotations

import colorsys
import dataclasses
import unicodedata

import pytest
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import _256_colors
from prompt_toolkit.styles import DEFAULT_ATTRS, Style
from qin.client.tui.theme import ASCII_GLYPHS, Glyphs, Palette, Theme, depth_of, theme_for

ROLES = (
    *("red", "yellow", "blue", "grass", "grass.odd", "water", "village", "legal", "last"),
    *("ghost", "ghost.frame", "ghost.refused", "refused", "lit", "label", "label.here"),
    *("seat1", "seat2", "seat3", "seat4", "title", "banner", "faint", "key", "chosen"),
)


@pytest.mark.parametrize(
    ("environment", "depth"),
    [
        ({"NO_COLOR": "1", "COLORTERM": "truecolor"}, ColorDepth.DEPTH_1_BIT),
        ({"NO_COLOR": "", "COLORTERM": "truecolor"}, ColorDepth.DEPTH_24_BIT),
        ({"TERM": "xterm-256color", "COLORTERM": "24bit"}, ColorDepth.DEPTH_24_BIT),
        ({"TERM": "xterm-256color"}, ColorDepth.DEPTH_8_BIT),
        ({"TERM": "linux"}, ColorDepth.DEPTH_4_BIT),
        ({"TERM": "dumb", "COLORTERM": "truecolor"}, ColorDepth.DEPTH_1_BIT),
        ({"PROMPT_TOOLKIT_COLOR_DEPTH": "DEPTH_4_BIT", "TERM": "x-256"}, ColorDepth.DEPTH_4_BIT),
        ({"PROMPT_TOOLKIT_COLOR_DEPTH": "many"}, None),
        ({}, None),
    ],
)
def test_the_environment_tells_how_many_colours(
    environment: dict[str, str], depth: ColorDepth | None
) -> None:
    assert depth_of(environment) is depth


def test_a_terminal_that_cannot_show_the_glyphs_gets_ascii() -> None:
    assert theme_for({}, encoding="latin-1").ascii_only
    assert theme_for({}, encoding="no-such-encoding").ascii_only
    assert not theme_for({}, encoding="utf-8").ascii_only
    assert theme_for({}, encoding="utf-8", ascii_only=True).ascii_only


@pytest.mark.parametrize("glyphs", [Glyphs(), ASCII_GLYPHS])
def test_every_glyph_is_one_column_wide_everywhere(glyphs: Glyphs) -> None:
    for field in dataclasses.fields(glyphs):
        for glyph in getattr(glyphs, field.name):
            assert len(glyph) == 1
            assert unicodedata.east_asian_width(glyph) in ("N", "Na")


def test_marks_have_shapes_of_their_own() -> None:
    glyphs = Glyphs()
    shapes = [glyphs.ghost, glyphs.ghost_refused, glyphs.last, glyphs.refused, glyphs.lit]
    assert len({*shapes, (glyphs.legal, glyphs.legal), (glyphs.grass, glyphs.grass)}) == 7


@pytest.mark.parametrize("palette", Palette)
@pytest.mark.parametrize("depth", ColorDepth)
def test_the_three_kinds_and_four_seats_differ_wherever_there_are_colours(
    palette: Palette, depth: ColorDepth
) -> None:
    style = Theme(palette, depth).style
    if depth is ColorDepth.DEPTH_1_BIT:
        assert all(_looks(style, role)[:2] == ("", "") for role in ROLES)
        return
    assert len({_looks(style, role) for role in ("red", "yellow", "blue", "village")}) == 4
    assert len({_looks(style, f"seat{number}") for number in range(1, 5)}) == 4


@pytest.mark.parametrize("palette", Palette)
def test_with_256_colours_red_is_not_drawn_as_orange(palette: Palette) -> None:
    """What prompt_toolkit takes for the nearest has the hue that was meant, within some degrees."""
    style = Theme(palette, ColorDepth.DEPTH_8_BIT).style
    for role in ("red", "yellow", "blue", "village"):
        _, background = _looks(style, role)
        assert background
        meant = _parts(background)
        shown = _256_colors.colors[_256_colors[meant]]
        assert abs(_hue(meant) - _hue(shown)) < 12, role


def _parts(colour: str) -> tuple[int, int, int]:
    return int(colour[0:2], 16), int(colour[2:4], 16), int(colour[4:6], 16)


def _hue(colour: tuple[int, int, int]) -> float:
    """In degrees; reds are about 0, not about 360."""
    degrees = 360 * colorsys.rgb_to_hsv(*colour)[0]
    return degrees - 360 if degrees > 300 else degrees


def test_ascii_only_text_has_nothing_else() -> None:
    theme = theme_for({}, encoding="ascii")
    assert theme.text("“trying” … ünï") == '"trying" ... ?n?'
    assert theme.shown([("class:faint", "a…")]) == [("class:faint", "a...")]
    usual = Theme()
    assert usual.text("…") == "…"


def _looks(style: Style, role: str) -> tuple[str | None, str | None]:
    attributes = style.get_attrs_for_style_str(f"class:{role}", DEFAULT_ATTRS)
    return attributes.color, attributes.bgcolor
