"""The line that `:` opens."""

from __future__ import annotations

import pytest
from qin.client.tui.commands import (
    ChoosePile,
    Command,
    Help,
    Hint,
    Leave,
    Place,
    Rematch,
    Resign,
    Save,
    Say,
    parse_command,
)
from qin.engine import ParseError, Placement


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("Rc4Yd4", Place(Placement.parse("Rc4Yd4"), 0)),
        (" yd4rc4  2 ", Place(Placement.parse("Rc4Yd4"), 2)),
        ("say  hello all", Say("hello all")),
        ("'hello", Say("hello")),
        ('"hello"', Say("hello")),
        ("pile 3", ChoosePile(3)),
        ("PILE 0", ChoosePile(0)),
        ("resign", Resign()),
        ("quit", Leave()),
        ("q", Leave()),
        ("help", Help()),
        ("hint", Hint()),
        ("rematch", Rematch()),
        ("save", Save("")),
        ("save my game.qin", Save("my game.qin")),
    ],
)
def test_commands_are_read(text: str, command: Command) -> None:
    assert parse_command(text) == command
    assert type(parse_command(text)) is type(command)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "is unknown; write Rc4Yd4"),
        ("dance", "'dance' is unknown; write Rc4Yd4, or one of pile, say, hint"),
        ("r4", "is not a placement"),
        ("pile", "is not a pile; write 1 to 4"),
        ("pile 5", "'5' is not a pile"),
        ("Rc4Yd4 x", "'x' is not a pile"),
        ("say", "say what?"),
        ("resign now", "resign stands alone; what is 'now'?"),
    ],
)
def test_what_cannot_be_read_says_what_to_write(text: str, problem: str) -> None:
    with pytest.raises(ParseError, match=problem.replace("?", r"\?")):
        parse_command(text)
