"""docs/rl.md is true: its programs run, and its tables list what there is."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from qin.bots.rl import ActionEncoding, plane_names
from qin.engine import Board, Tile

PAGE = (Path(__file__).parents[2] / "docs" / "rl.md").read_text("utf-8")
PROGRAMS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_programs_run(program: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr


def test_the_example_plays_a_game_to_its_end() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAMS[0]], capture_output=True, text=True, check=True
    )
    rewards = dict(re.findall(r"^(player_\d) (\S+) [a-z-]+$", ran.stdout, re.MULTILINE))
    assert sorted(rewards) == ["player_0", "player_1", "player_2"]
    assert sum(map(float, rewards.values())) == 0


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_table_lists_every_plane_in_order(players: int) -> None:
    rows = re.findall(r"^\| (`[a-z].*?`(?: …)?) \| (\d|P) \|", PAGE, re.MULTILINE)
    listed: list[str] = []
    for names, count in rows:
        named = re.findall(r"`(.*?)`", names)
        if "…" in names:
            stem = named[0].rpartition("-")[0]
            ends = range(players) if count == "P" else Tile
            named = [f"{stem}-{end}" for end in ends]
        assert len(named) == (players if count == "P" else int(count)), names
        listed += named
    assert tuple(listed) == plane_names(players)
    assert len(listed) == 4 * players + 20


def test_the_number_of_actions_is_right() -> None:
    assert f"there are {ActionEncoding(Board.named('bird')).size} actions" in PAGE
