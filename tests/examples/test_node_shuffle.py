"""The shuffle a second time, in another language: it deals the same, and sees what was changed."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from random import Random

import pytest
from needs import needs
from qin.engine import Recorder
from qin.engine.board import Board
from qin.engine.game import Game
from qin.engine.shuffle import Stream, commitment_to, shuffled_deal
from qin.engine.tiles import format_tiles

pytestmark = needs("node", "npm")


def node(example: Path, *arguments: str) -> tuple[int, str]:
    ran = subprocess.run(
        ["node", "shuffle.js", *arguments],  # noqa: S607
        cwd=example,
        capture_output=True,
        text=True,
        check=False,
        timeout=20,
    )
    return ran.returncode, ran.stdout + ran.stderr


@pytest.mark.parametrize("players", [2, 3, 4])
def test_node_deals_the_same(node_example: Path, players: int) -> None:
    rng = Random(players)
    for game in (1, 2, 300, 70_000):
        salt, nonces = rng.randbytes(32), [rng.randbytes(16) for _ in range(players)]
        deal = shuffled_deal(Stream(salt, game, nonces), players)
        code, out = node(
            node_example, "--deal", salt.hex(), str(game), *[nonce.hex() for nonce in nonces]
        )
        hands, piles = ("/".join(map(format_tiles, part)) for part in deal)
        assert (code, out) == (0, f"{hands}\n{piles}\n")


def record() -> str:
    """A finished game with salt and nonces in its record."""
    rng = Random(5)
    salt, nonces = rng.randbytes(32), [rng.randbytes(16) for _ in range(2)]
    game = Game.start(Board.named("bird"), shuffled_deal(Stream(salt, 1, nonces), 2))
    tags = {
        "Game": "1",
        "Commitment": commitment_to(salt),
        "Salt": salt.hex(),
        "Nonces": "/".join(nonce.hex() for nonce in nonces),
    }
    recorder = Recorder(game, ["ann", "bob"], tags)
    turn = game.turn
    game, events = game.withdraw(turn, forfeit=False)
    recorder.note(turn, events)
    return str(recorder.record(game))


def test_node_finds_nothing_wrong_with_a_true_record(node_example: Path, tmp_path: Path) -> None:
    file = tmp_path / "game.qin"
    file.write_text(record(), "utf-8")
    assert node(node_example, str(file)) == (0, "the tiles were dealt as salt and nonces say\n")


@pytest.mark.parametrize(
    ("tag", "told"),
    [
        ("Commitment", "committed"),
        ("Salt", "committed"),
        ("Nonces", "hands"),
        ("Hands", "hands"),
        ("Piles", "piles"),
    ],
)
def test_node_sees_what_was_changed(
    node_example: Path, tmp_path: Path, tag: str, told: str
) -> None:
    def another(found: re.Match[str]) -> str:
        value = found[1]
        return f'[{tag} "{value[3:5] + value[2] + value[0:2] if value[2] == " " else value[::-1]}'

    text = re.sub(rf'\[{tag} "((?:.. ..|[0-9a-f/]+))', another, record())
    assert text != record()
    file = tmp_path / "game.qin"
    file.write_text(text, "utf-8")
    code, out = node(node_example, str(file))
    assert code == 1
    assert told in out


def test_node_says_when_there_is_nothing_to_check(node_example: Path, tmp_path: Path) -> None:
    file = tmp_path / "game.qin"
    file.write_text(re.sub(r"\[Salt .*\n", "", record()), "utf-8")
    code, out = node(node_example, str(file))
    assert code == 1
    assert "no tag Salt" in out
