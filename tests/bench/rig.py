"""What the benchmarks of the server need: servers in processes of their own, games known before."""

from __future__ import annotations

import secrets
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import NamedTuple

import grpc
import grpc.aio
from qin.engine import Board, Deal, Game
from qin.engine.recorder import move_of
from qin.engine.tiles import format_tiles
from qin.v1 import (
    lobby_pb2,
    lobby_pb2_grpc,
    play_pb2,
    play_pb2_grpc,
    session_pb2_grpc,
    types_pb2,
    watch_pb2_grpc,
)


@contextmanager
def hosted(*arguments: str) -> Iterator[tuple[str, Callable[[], int]]]:
    """A server in a process of its own: its address, and how to ask for its memory."""
    process = subprocess.Popen(
        [sys.executable, Path(__file__).with_name("host.py"), *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin
    assert process.stdout
    stdin, stdout = process.stdin, process.stdout

    def memory() -> int:
        stdin.write("memory\n")
        stdin.flush()
        return int(stdout.readline())

    try:
        yield f"127.0.0.1:{int(stdout.readline())}", memory
    finally:
        stdin.close()
        process.wait(30)


# ---- scripted games ----------------------------------------------------------------------------


class Script(NamedTuple):
    """A game that was played before: whose turn, where, from which pile."""

    deal: lobby_pb2.GivenDeal
    moves: list[tuple[int, str, int]]


def script(seed: int) -> Script:
    rng = Random(seed)
    deal = Deal.shuffled(2, rng)
    game = Game.start(Board.named("bird"), deal)
    given = lobby_pb2.GivenDeal(
        hands="/".join(map(format_tiles, deal.hands)),
        piles="/".join(map(format_tiles, deal.piles)),
        first=1,
    )
    moves: list[tuple[int, str, int]] = []
    while game.outcome is None:
        if game.must_pass:
            game, _ = game.pass_turn()
            continue
        turn = game.turn
        game, events = game.place(game.legal.choice(rng))
        placement, _, pile = move_of(turn, events).partition(":")
        moves.append((turn, placement, int(pile or 0)))
    return Script(given, moves)


class Client:
    def __init__(self, channel: grpc.aio.Channel) -> None:
        self.metadata = (("authorization", f"Bearer {secrets.token_hex(32)}"),)
        self.lobby = lobby_pb2_grpc.LobbyServiceStub(channel)
        self.play = play_pb2_grpc.PlayServiceStub(channel)
        self.sessions = session_pb2_grpc.SessionServiceStub(channel)
        self.watching = watch_pb2_grpc.WatchServiceStub(channel)


async def table_for(players: list[Client], given: Script, number: int) -> str:
    owner = players[0]
    created = await owner.lobby.CreateTable(
        lobby_pb2.CreateTableRequest(
            request_id=f"c{number}",
            settings=types_pb2.TableSettings(board_name="bird", seats=2),
            deals=[given.deal],
        ),
        metadata=owner.metadata,
    )
    name = created.table.table_id
    for player in players:
        join = lobby_pb2.JoinTableRequest(
            request_id=f"j{number}", table_id=name, name="bench", nonce=bytes(16)
        )
        await player.lobby.JoinTable(join, metadata=player.metadata)
    start = lobby_pb2.StartTableRequest(request_id=f"s{number}", table_id=name)
    await owner.lobby.StartTable(start, metadata=owner.metadata)
    return name


def requests(name: str, given: Script) -> list[tuple[int, play_pb2.PlaceTileRequest]]:
    return [
        (
            turn,
            play_pb2.PlaceTileRequest(
                request_id=f"p{ply}",
                table_id=name,
                expected_ply=ply,
                placement=placement,
                pile=pile,
            ),
        )
        for ply, (turn, placement, pile) in enumerate(given.moves)
    ]
