"""docs/bots.md is true: its bots play, its table lists what a program finds."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

from qin.bots import Spec, program
from qin.bots.arena import play
from qin.engine import Board, Deal, Seat

PAGE = (Path(__file__).parents[2] / "docs" / "bots.md").read_text("utf-8")


def test_the_bots_of_the_page_play(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("\n\n".join(re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)))
    specs = [f"{file}:MyBot", f"{file}:Careful:width=4", f"{file}:Deep"]
    bots = [Spec.parse(text).load_python()("1") for text in specs]
    played = play(Board.named("bird"), Deal.shuffled(3, Random(1)), bots, first=Seat(0))
    assert played.game.outcome


def test_the_table_lists_all_that_a_program_finds() -> None:
    listed = re.findall(r"`(QIN_[A-Z]+)`", PAGE)
    assert program.__doc__
    assert sorted(set(listed)) == sorted(
        re.findall(r"^(QIN_[A-Z]+)", program.__doc__, re.MULTILINE)
    )
