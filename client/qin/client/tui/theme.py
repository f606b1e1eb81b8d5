"""How everything looks: all colours and all glyphs, in this one file.

Views name roles (`class:red`, `class:ghost`); what a role looks like is decided here, for each
palette and for each number of colours. No colour carries a meaning alone: provinces have letters,
seats have numbers, marks have shapes. No glyph here is one that some terminals draw two columns
wide.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from prompt_toolkit.formatted_text import OneStyleAndTextTuple, StyleAndTextTuples
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.styles import Style


class Palette(Enum):
    """Which colours the three kinds of province and the four seats have."""

    USUAL = "usual"
    COLOUR_BLIND = "colour-blind"
    """After Okabe and Ito: told apart with any common kind of colour blindness."""


@dataclass(frozen=True, slots=True)
class Glyphs:
    """What is drawn with; every one is a single column wide."""

    grass: str = "∙"
    water: str = "~"
    village: str = "V"
    pagoda: str = "⌂"
    ghost: tuple[str, str] = "[", "]"
    """Around the halves of a tile that may lie where it is shown."""
    ghost_refused: tuple[str, str] = "x", "x"
    """Around the halves of a tile that may not."""
    last: tuple[str, str] = "(", ")"
    """Around what was laid last."""
    refused: tuple[str, str] = "!", "!"
    """Around spaces that are in the way."""
    lit: tuple[str, str] = "<", ">"
    """Around spaces that a text speaks of."""
    legal: str = "+"
    """Where the first half of the chosen tile may lie."""
    turn: str = "▸"
    """Beside the player who is to move, and beside what is chosen."""
    more: tuple[str, str, str, str] = "‹", "›", "^", "v"
    """The board goes on to the left, right, up or down."""


ASCII_GLYPHS = Glyphs(grass=".", pagoda="^", turn=">", more=("<", ">", "^", "v"))
_IN_ASCII = str.maketrans(
    {"…": "...", "–": "-", "—": "-", "“": '"', "”": '"', "‘": "'", "’": "'", "‹": "<", "›": ">"}
)


class _Ink(NamedTuple):
    """A pair of colours in 24 bits, and one for terminals with 16.

    With 256 colours the nearest is drawn, so the first are near to one of the same hue.
    """

    full: str
    few: str


class _Colours(NamedTuple):
    """What differs between palettes."""

    red: _Ink
    yellow: _Ink
    blue: _Ink
    seats: tuple[_Ink, _Ink, _Ink, _Ink]


_FEW_SEATS = (
    "bg:ansiwhite ansiblack",
    "bg:ansiblack ansiwhite",
    "bg:ansimagenta ansiwhite",
    "bg:ansigreen ansiblack",
)
_COLOURS = {
    Palette.USUAL: _Colours(
        red=_Ink("bg:#b52a26 #fff2ee", "bg:ansired ansiwhite"),
        yellow=_Ink("bg:#e3b52a #2b2000", "bg:ansiyellow ansiblack"),
        blue=_Ink("bg:#2c62b5 #eef4ff", "bg:ansiblue ansiwhite"),
        seats=(
            _Ink("bg:#f4f1ea #111111", _FEW_SEATS[0]),
            _Ink("bg:#141414 #f4f1ea", _FEW_SEATS[1]),
            _Ink("bg:#8a3fa8 #ffffff", _FEW_SEATS[2]),
            _Ink("bg:#3fae5a #04210b", _FEW_SEATS[3]),
        ),
    ),
    Palette.COLOUR_BLIND: _Colours(
        red=_Ink("bg:#d55e00 #1a0b00", "bg:ansired ansiwhite"),
        yellow=_Ink("bg:#f0e442 #2b2800", "bg:ansibrightyellow ansiblack"),
        blue=_Ink("bg:#0072b2 #ffffff", "bg:ansiblue ansiwhite"),
        seats=(
            _Ink("bg:#ffffff #000000", _FEW_SEATS[0]),
            _Ink("bg:#000000 #ffffff", _FEW_SEATS[1]),
            _Ink("bg:#cc79a7 #000000", _FEW_SEATS[2]),
            _Ink("bg:#009e73 #000000", _FEW_SEATS[3]),
        ),
    ),
}

_LAND = {
    "grass": _Ink("bg:#22392a #6f946f", "ansigreen"),
    "grass.odd": _Ink("bg:#263f2f #6f946f", "ansigreen"),
    "water": _Ink("bg:#14323f #5fb0cc", "ansicyan"),
    "village": _Ink("bg:#7a5c2a #fff0d8", "bg:ansibrightblack ansiwhite"),
    "gap": _Ink("", ""),
    "legal": _Ink("#c8f7c5 bold", "ansibrightgreen bold"),
    "ghost": _Ink("bold underline", "bold underline"),
    "ghost.frame": _Ink("bg:#0f5d2c #d8ffd8 bold", "bg:ansigreen ansiwhite bold"),
    "ghost.refused": _Ink("bg:#3a3a3a #ff9d8f bold", "bg:ansibrightblack ansibrightred bold"),
    "last": _Ink("bold underline", "bold underline"),
    "refused": _Ink("bg:#5a1410 #ffd0c8 bold", "ansibrightred bold reverse"),
    "lit": _Ink("bold reverse", "bold reverse"),
    "label": _Ink("#8a8a8a", ""),
    "label.here": _Ink("bold", "bold"),
}
_TEXT = {
    "title": _Ink("bg:#2d3b4a #f2f2f2", "bg:ansiblue ansiwhite"),
    "title.strong": _Ink("bold", "bold"),
    "banner": _Ink("bg:#8a1c14 #ffffff bold", "bg:ansired ansiwhite bold"),
    "heading": _Ink("bold", "bold"),
    "faint": _Ink("#8a8a8a", ""),
    "key": _Ink("bold underline", "bold underline"),
    "chosen": _Ink("bold reverse", "bold reverse"),
    "good": _Ink("#5fbf6a bold", "ansigreen bold"),
    "bad": _Ink("#e0685a bold", "ansired bold"),
    "said": _Ink("#5aa9d6", "ansicyan"),
    "mine": _Ink("bold", "bold"),
    "rule": _Ink("#5a5a5a", ""),
    "input": _Ink("bg:#2d2d2d #ffffff", "reverse"),
}
_WITHOUT_COLOUR = {
    "title": "reverse",
    "title.strong": "bold",
    "banner": "reverse bold",
    "heading": "bold",
    "key": "bold underline",
    "chosen": "reverse bold",
    "good": "bold",
    "bad": "bold",
    "mine": "bold",
    "input": "reverse",
    "red": "bold",
    "yellow": "bold",
    "blue": "bold",
    "legal": "bold",
    "ghost": "bold reverse",
    "ghost.frame": "bold reverse",
    "ghost.refused": "bold underline",
    "last": "bold underline",
    "refused": "bold underline",
    "lit": "bold reverse",
    "label.here": "bold reverse",
    "seat": "bold",
}


@dataclass(frozen=True, slots=True)
class Theme:
    """A look: palette, number of colours, glyphs. Makes the style that roles are drawn in."""

    palette: Palette = Palette.USUAL
    depth: ColorDepth = ColorDepth.DEPTH_8_BIT
    glyphs: Glyphs = Glyphs()

    @property
    def ascii_only(self) -> bool:
        return self.glyphs == ASCII_GLYPHS

    @property
    def style(self) -> Style:
        if self.depth is ColorDepth.DEPTH_1_BIT:
            return Style.from_dict(_WITHOUT_COLOUR)
        colours = _COLOURS[self.palette]
        roles = {
            **_LAND,
            **_TEXT,
            "red": colours.red,
            "yellow": colours.yellow,
            "blue": colours.blue,
            **{f"seat{number}": ink for number, ink in enumerate(colours.seats, start=1)},
            "seat": _Ink("bold", "bold"),
        }
        few = self.depth is ColorDepth.DEPTH_4_BIT
        return Style.from_dict({role: ink.few if few else ink.full for role, ink in roles.items()})

    def text(self, text: str) -> str:
        """A text as this look can show it."""
        if not self.ascii_only or text.isascii():
            return text
        return text.translate(_IN_ASCII).encode("ascii", "replace").decode()

    def shown(self, fragments: StyleAndTextTuples) -> StyleAndTextTuples:
        """The same for text with styles."""
        if not self.ascii_only:
            return fragments
        return [self._shown(fragment) for fragment in fragments]

    def _shown(self, fragment: OneStyleAndTextTuple) -> OneStyleAndTextTuple:
        if len(fragment) == 3:
            return fragment[0], self.text(fragment[1]), fragment[2]
        return fragment[0], self.text(fragment[1])


def depth_of(environment: Mapping[str, str]) -> ColorDepth | None:
    """How many colours the terminal shows, as far as the environment tells.

    prompt_toolkit does not look at COLORTERM. None leaves it to what the platform's output knows.
    """
    if environment.get("NO_COLOR"):
        return ColorDepth.DEPTH_1_BIT
    wanted = environment.get("PROMPT_TOOLKIT_COLOR_DEPTH", "")
    if wanted in [depth.value for depth in ColorDepth]:
        return ColorDepth(wanted)
    terminal = environment.get("TERM", "")
    if terminal == "dumb":
        return ColorDepth.DEPTH_1_BIT
    if environment.get("COLORTERM", "").lower() in ("truecolor", "24bit"):
        return ColorDepth.DEPTH_24_BIT
    if "256" in terminal or "kitty" in terminal:
        return ColorDepth.DEPTH_8_BIT
    if terminal in ("linux", "ansi", "eterm-color", "vt220", "xterm-16color"):
        return ColorDepth.DEPTH_4_BIT
    return None


def theme_for(
    environment: Mapping[str, str],
    *,
    encoding: str,
    usual_depth: ColorDepth = ColorDepth.DEPTH_8_BIT,
    palette: Palette = Palette.USUAL,
    ascii_only: bool = False,
) -> Theme:
    """The look for a terminal: what was asked for, within what it can show."""
    usual = Glyphs()
    try:
        "".join((usual.grass, usual.pagoda, usual.turn, *usual.more)).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        ascii_only = True
    return Theme(
        palette=palette,
        depth=depth_of(environment) or usual_depth,
        glyphs=ASCII_GLYPHS if ascii_only else usual,
    )
