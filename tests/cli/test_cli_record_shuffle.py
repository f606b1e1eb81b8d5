"""`qin record check`: whether the tiles were dealt as salt and nonces say."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from random import Random

import pytest
from click.testing import Result
from qin.engine import Board, Game, Recorder, Seat
from qin.engine.shuffle import Stream, commitment_to, shuffled_deal

Qin = Callable[..., Result]

SALT = bytes(range(32))
NONCES = tuple(bytes([seat]) * 16 for seat in (7, 8, 9))
TAGS = {
    "Game": "2",
    "Commitment": commitment_to(SALT),
    "Salt": SALT.hex(),
    "Nonces": "/".join(nonce.hex() for nonce in NONCES),
}


def record(*without: str) -> str:
    """The second game of a series of three players, as a server keeps it."""
    rng = Random(1)
    game = Game.start(Board.named("lion"), shuffled_deal(Stream(SALT, 2, NONCES), 3), Seat(1))
    tags = {name: value for name, value in TAGS.items() if name not in without}
    recorder = Recorder(game, ["ann", "bob", "cho"], tags)
    while game.outcome is None:
        turn = game.turn
        game, events = game.place(game.legal.choice(rng))
        recorder.note(turn, events)
    return str(recorder.record(game))


def verdict(qin: Qin, text: str) -> str:
    result = qin("record", "check", "-", stdin=text)
    assert result.exit_code == 0, result.stderr
    told = json.loads(qin("record", "check", "--json", "-", stdin=text).stdout)
    assert result.stdout.endswith(f", shuffle {told['shuffle']}\n") == bool(told["shuffle"])
    return str(told["shuffle"])


def test_a_shuffle_that_was_revealed_is_checked(qin: Qin) -> None:
    assert verdict(qin, record()) == "checked"


def test_that_nothing_was_checked_is_seen(qin: Qin) -> None:
    """In the middle of a series, or where somebody has cut the salt out."""
    assert verdict(qin, record("Salt", "Nonces")) == "not revealed"
    assert verdict(qin, record(*TAGS)) == "None"


@pytest.mark.parametrize(
    ("tag", "value", "fault"),
    [
        ("Salt", "ff" * 32, "Commitment: it is not the SHA-256 of the salt"),
        ("Salt", "ff" * 31, "Salt: each value has 32 bytes in hex"),
        ("Salt", "salt", "Salt: each value has 32 bytes in hex"),
        ("Salt", "", "Salt: each value has 32 bytes in hex"),
        ("Commitment", "ff" * 32, "Commitment: it is not the SHA-256 of the salt"),
        ("Nonces", TAGS["Nonces"][::-1], "Salt: hands and piles are not what salt and nonces deal"),
        ("Nonces", "00" * 16, "Nonces: each of 3 seats gives one, here are 1"),
        ("Nonces", "00/11/22", "Nonces: each value has 16 bytes in hex"),
        ("Game", "1", "Salt: hands and piles are not what salt and nonces deal"),
        ("Game", "two", "Game: 'two' is not the number of a game"),
        ("Game", "9" * 5000, "Game: '99999999999999999999' is not the number of a game"),
    ],
)
def test_a_tag_of_the_shuffle_that_was_changed(qin: Qin, tag: str, value: str, fault: str) -> None:
    text = re.sub(rf'\[{tag} ".*"\]', f'[{tag} "{value}"]', record())
    blamed = fault.partition(":")[0]
    at = next(n for n, line in enumerate(text.splitlines(), 1) if line.startswith(f"[{blamed} "))
    result = qin("record", "check", "-", stdin=text)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"standard input: line {at}: {fault}\n"


def test_a_salt_without_nonces(qin: Qin) -> None:
    result = qin("record", "check", "-", stdin=record("Nonces"))
    assert result.exit_code == 1
    assert "Salt: there is a salt, but no tag Nonces" in result.stderr


@pytest.mark.parametrize("tag", ["Hands", "Piles"])
def test_tiles_that_changed_places(qin: Qin, tag: str) -> None:
    """Even where every move would still be possible."""
    old = re.search(rf'\[{tag} "(.*)"\]', record())
    assert old
    tiles = re.findall(r"..", old[1])
    other = next(tile for tile in tiles if tile.isalpha() and tile != old[1][:2])
    swapped = old[1].replace(other, "--", 1).replace(old[1][:2], other, 1).replace("--", old[1][:2])
    result = qin("record", "check", "-", stdin=record().replace(old[1], swapped))
    assert result.exit_code == 1
    assert "Salt: hands and piles are not what salt and nonces deal" in result.stderr


def test_values_are_hex_in_either_case(qin: Qin) -> None:
    text = record()
    for value in (TAGS["Commitment"], TAGS["Salt"]):
        text = text.replace(value, value.upper())
    assert verdict(qin, text) == "checked"
