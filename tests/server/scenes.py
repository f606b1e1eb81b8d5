"""Tables in every state of their life, for tests of what is left of them after a restart."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import grpc.aio
from qin.engine import Board
from qin.v1 import lobby_pb2, play_pb2, types_pb2
from server.players import Player, new_id, play_out, seated

HOUR = 3600
NAMES = ("ann", "bob", "cho", "dan")


@dataclass
class Scene:
    """A table, those who sit there, and the code that it wants."""

    table_id: str
    players: list[Player]
    code: str = ""
    spectators: bool = True

    def viewers(self, channel: grpc.aio.Channel) -> list[Player]:
        """All players and, where that is allowed, a spectator; by this channel."""
        players = [Player(channel, player.name, player.token) for player in self.players]
        return [*players, Player(channel, "eve")] if self.spectators else players


async def say(player: Player, table_id: str, text: str) -> None:
    request = play_pb2.SayRequest(request_id=new_id(), table_id=table_id, text=text)
    await player.call(player.play.Say, request)


async def resign(player: Player, table_id: str) -> None:
    request = play_pb2.ResignRequest(request_id=new_id(), table_id=table_id)
    await player.call(player.play.Resign, request)


async def rematch(player: Player, table_id: str, nonce: bytes) -> None:
    request = lobby_pb2.RematchRequest(request_id=new_id(), table_id=table_id, nonce=nonce)
    await player.call(player.lobby.Rematch, request)


async def make_moves(table_id: str, players: list[Player], moves: int) -> None:
    """Always the first placement that is open."""
    for _ in range(moves):
        game = (await players[0].snapshot(table_id)).game
        player = players[game.turn - 1]
        option = (await player.options(table_id)).options[0]
        await player.place(table_id, game.ply, option.placement)


# ---- the scenes --------------------------------------------------------------------------------


async def nobody_there(channel: grpc.aio.Channel) -> Scene:
    ann = Player(channel)
    table = await ann.create(4)
    await say(ann, table.table_id, "who plays?")
    return Scene(table.table_id, [ann])


async def seats_taken(channel: grpc.aio.Channel) -> Scene:
    players = [Player(channel, name) for name in NAMES[:3]]
    table = await players[0].create(4, first=types_pb2.FIRST_SEAT_YOUNGEST)
    await players[0].join(table.table_id, seat=3, age=40)
    await players[1].join(table.table_id, age=9)
    await say(players[1], table.table_id, "two more, please")
    leave = lobby_pb2.LeaveTableRequest(request_id=new_id(), table_id=table.table_id)
    await players[0].call(players[0].lobby.LeaveTable, leave)
    return Scene(table.table_id, players)


async def behind_a_code(channel: grpc.aio.Channel) -> Scene:
    ann, bob = Player(channel), Player(channel, "bob")
    table = await ann.create(2, code="sesame", no_spectators=True)
    await ann.join(table.table_id)
    await bob.join(table.table_id, invite_code="sesame")
    await ann.start(table.table_id)
    await make_moves(table.table_id, [ann, bob], 3)
    return Scene(table.table_id, [ann, bob], "sesame", spectators=False)


async def mid_game(channel: grpc.aio.Channel) -> Scene:
    table_id, players = await seated(channel, NAMES)
    await make_moves(table_id, players, 9)
    await say(players[2], table_id, "well played")
    await resign(players[1], table_id)
    await make_moves(table_id, players, 4)
    return Scene(table_id, players)


async def on_a_map_of_ones_own(channel: grpc.aio.Channel) -> Scene:
    table_id, players = await seated(channel, map=Board.named("lion").map)
    await make_moves(table_id, players, 5)
    return Scene(table_id, players)


async def with_a_clock(channel: grpc.aio.Channel) -> Scene:
    clock = types_pb2.ClockSettings(total_seconds=HOUR, increment_seconds=2)
    table_id, players = await seated(channel, NAMES[:3], clock=clock, absence_seconds=HOUR)
    await make_moves(table_id, players, 7)
    return Scene(table_id, players)


async def in_the_pause_of_a_series(channel: grpc.aio.Channel) -> Scene:
    table_id, players = await seated(channel, NAMES[:3], games=3, pause_seconds=HOUR)
    await play_out(table_id, players, lambda _: 0)
    await say(players[0], table_id, "once more")
    return Scene(table_id, players)


async def in_the_second_game(channel: grpc.aio.Channel) -> Scene:
    table_id, players = await seated(channel, games=2)
    await make_moves(table_id, players, 2)
    await resign(players[0], table_id)
    await make_moves(table_id, players, 3)
    return Scene(table_id, players)


async def finished(channel: grpc.aio.Channel) -> Scene:
    table_id, players = await seated(channel)
    await play_out(table_id, players, lambda _: 0)
    await say(players[1], table_id, "again?")
    await rematch(players[1], table_id, b"b" * 16)
    return Scene(table_id, players)


async def in_a_rematch(channel: grpc.aio.Channel) -> Scene:
    table_id, players = await seated(channel)
    await make_moves(table_id, players, 1)
    await resign(players[0], table_id)
    for player in players:
        await rematch(player, table_id, player.name.encode().ljust(16))
    await make_moves(table_id, players, 4)
    return Scene(table_id, players)


SCENES: tuple[Callable[[grpc.aio.Channel], Awaitable[Scene]], ...] = (
    nobody_there,
    seats_taken,
    behind_a_code,
    mid_game,
    on_a_map_of_ones_own,
    with_a_clock,
    in_the_pause_of_a_series,
    in_the_second_game,
    finished,
    in_a_rematch,
)
