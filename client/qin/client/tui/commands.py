"""The line that `:` opens: placements, chat and commands, read from text."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from qin.engine import ParseError, Placement
from qin.engine.tiles import PILES


class Place(NamedTuple):
    """Lay a tile."""

    placement: Placement
    pile: int
    """From 1; 0 for the fullest, or what was chosen before."""


class Say(NamedTuple):
    """Say something to all at the table."""

    text: str


class ChoosePile(NamedTuple):
    """Draw from this pile from now on; 0 for the fullest."""

    pile: int


class Resign(NamedTuple):
    """Give up the game."""


class Leave(NamedTuple):
    """Leave the screen; the seat is kept."""


class Help(NamedTuple):
    """Show the keys."""


class Hint(NamedTuple):
    """Show the best placement."""


class Save(NamedTuple):
    """Save the record of the last game."""

    path: str
    """Empty for a name of its own."""


class Rematch(NamedTuple):
    """Ask for another series."""


Command = Place | Say | ChoosePile | Resign | Leave | Help | Hint | Save | Rematch

USAGE = (
    ("Rc4Yd4", "place a tile: red on c4, yellow on d4"),
    ("Rc4Yd4 2", "the same, and draw from pile 2"),
    ("pile 2", "draw from pile 2 from now on; pile 0 is the fullest"),
    ("say hello", "chat; 'hello is the same"),
    ("hint", "show the best placement"),
    ("resign", "give up the game"),
    ("rematch", "play again, when a series is over"),
    ("save FILE", "save the record of the last game"),
    ("help", "this page"),
    ("quit", "back to the lobby; your seat is kept"),
)
"""Each command and what it does, for people."""

_BARE: dict[str, Callable[[], Command]] = {
    "resign": Resign,
    "quit": Leave,
    "q": Leave,
    "help": Help,
    "hint": Hint,
    "rematch": Rematch,
}


def parse_command(text: str) -> Command:
    """Read a line, or raise `ParseError` with what to do."""
    text = text.strip()
    if text[:1] in ("'", '"'):
        return Say(_said(text[1:].removesuffix(text[0])))
    word, _, rest = text.partition(" ")
    word, rest = word.lower(), rest.strip()
    if word == "say":
        return Say(_said(rest))
    if word == "pile":
        return ChoosePile(_pile(rest))
    if word == "save":
        return Save(rest)
    if word in _BARE:
        if rest:
            raise ParseError(f"{word} stands alone; what is {rest!r}?")
        return _BARE[word]()
    if not _like_a_placement(word):
        known = ", ".join(usage.split()[0] for usage, _ in USAGE[2:])
        raise ParseError(f"{word!r} is unknown; write Rc4Yd4, or one of {known}")
    return Place(Placement.parse(word), _pile(rest) if rest else 0)


def _like_a_placement(word: str) -> bool:
    return word[:1] in tuple("ryb") and any(letter.isdigit() for letter in word)


def _said(text: str) -> str:
    if not text.strip():
        raise ParseError("say what? write: say hello")
    return text.strip()


def _pile(text: str) -> int:
    if text.isascii() and text.isdecimal() and len(text) == 1 and int(text) <= PILES:
        return int(text)
    raise ParseError(f"{text!r} is not a pile; write 1 to {PILES}, or 0 for the fullest")
