"""A client without rules: what docs/protocol.md says of each event is enough to keep a position."""

from __future__ import annotations

import re
from random import Random

import pytest
from qin.v1 import play_pb2, watch_pb2
from qin.v1 import types_pb2 as pb
from server.players import Player, new_id, serving

LETTERS = {pb.COLOUR_RED: "R", pb.COLOUR_YELLOW: "Y", pb.COLOUR_BLUE: "B"}


class Follower:
    """Changes what the table of events under "Watching" says, and nothing else."""

    def __init__(self, snapshot: watch_pb2.Snapshot) -> None:
        self.seats = len(snapshot.table.seats)
        self.seat = snapshot.seat
        self.map = snapshot.table.map
        self.sequence = snapshot.sequence

    def take(self, event: pb.Event) -> None:
        assert event.sequence == self.sequence + 1
        self.sequence = event.sequence
        kind = event.WhichOneof("kind")
        assert kind
        getattr(self, f"_{kind}", lambda _: None)(getattr(event, kind))

    def _game_started(self, event: pb.GameStarted) -> None:
        self.cells = {
            f"{chr(ord('a') + column)}{row}": cell
            for row, cells in enumerate(self.map.split("/"), start=1)
            for column, cell in enumerate(cells)
        }
        self.reserves, self.piles = list(event.reserves), list(event.pile_sizes)
        self.hand, self.hands = sorted(event.hand), [3] * self.seats
        self.turn, self.ply, self.out = event.first, 0, set[int]()

    def _tile_placed(self, event: pb.TilePlaced) -> None:
        found = re.findall(r"([RYB])([a-z]\d+)", event.placement)
        for colour, space in found:
            self.cells[space] = colour
        self.hands[event.seat - 1] -= 1
        if event.seat == self.seat:
            colours = "".join(colour for colour, _ in found)
            self.hand.remove(colours if colours in self.hand else colours[::-1])
        self.moved, self.ply = event.seat, event.ply

    def _own(self, spaces: str, owner: str) -> None:
        for space in spaces.split():
            self.cells[space] = owner

    def _founded(self, event: pb.Founded) -> None:
        self._own(event.spaces, f"{LETTERS[event.colour]}{event.seat}")
        self.reserves[event.seat - 1] -= event.pagodas

    def _expanded(self, event: pb.Expanded) -> None:
        self._own(event.spaces, f"{LETTERS[event.colour]}{event.seat}")

    def _major(self, event: pb.Major) -> None:
        self.reserves[event.seat - 1] -= 1

    def _joined(self, event: pb.Joined) -> None:
        self._own(event.spaces, f"{LETTERS[event.colour]}{event.seat}")
        self.reserves[event.seat - 1] -= event.built
        for seat, pagodas in enumerate(event.went_home):
            self.reserves[seat] += pagodas

    def _connected(self, event: pb.Connected) -> None:
        self._own(event.village, f"V{event.seat}")
        self.reserves[event.seat - 1] -= 1

    def _conquered(self, event: pb.Conquered) -> None:
        self._own(event.village, f"V{event.seat}")
        self.reserves[event.seat - 1] -= 1
        self.reserves[event.loser - 1] += 1

    def _village_lost(self, event: pb.VillageLost) -> None:
        self._own(event.village, "V")
        self.reserves[event.loser - 1] += 1

    def _drawn(self, event: pb.Drawn) -> None:
        self.piles[event.pile - 1] -= 1
        self.hands[event.seat - 1] += 1
        if event.tile:
            self.hand = sorted([*self.hand, event.tile])

    def _passed(self, event: pb.Passed) -> None:
        self.moved, self.ply = event.seat, event.ply

    def _withdrew(self, event: pb.Withdrew) -> None:
        self.out.add(event.seat)
        if event.seat == self.turn:
            self.moved = event.seat

    def _game_ended(self, event: pb.GameEnded) -> None:
        self.reserves = list(event.reserves)
        self.turn = 0

    def next_turn(self) -> int:
        """The next seat in order that is not out and holds tiles."""
        after = [(self.moved + n) % self.seats + 1 for n in range(self.seats)]
        return next(seat for seat in after if seat not in self.out and self.hands[seat - 1])

    def same_as(self, game: pb.GameView) -> None:
        if self.turn:
            self.turn = self.next_turn()
        width = len(self.map.split("/")[0])
        cells = list(self.cells.values())
        rows = ["".join(cells[start : start + width]) for start in range(0, len(cells), width)]
        assert "/".join(rows) == game.cells
        assert self.reserves == list(game.reserves)
        assert self.piles == list(game.pile_sizes)
        assert self.hands == list(game.hand_sizes)
        assert self.hand == sorted(game.hand)
        assert (self.turn, self.ply) == (game.turn, game.ply)
        assert sorted(self.out) == list(game.out)


@pytest.mark.parametrize(("players", "board"), [(2, "bird"), (3, "lion"), (4, "bird")])
async def test_events_alone_give_what_the_snapshot_says(players: int, board: str) -> None:
    rng = Random(players)
    names = ["ann", "bob", "cho", "dan"][:players]
    async with serving(durable=False) as (_, channel):
        seats = [Player(channel, name) for name in names]
        table_id = (await seats[0].create(players, board_name=board)).table_id
        for seat in seats:
            await seat.join(table_id)
        viewers = [seats[0], seats[-1], Player(channel, "eve")]
        followers = [Follower(await viewer.snapshot(table_id)) for viewer in viewers]
        await seats[0].start(table_id)
        turn, ply = 1, 0
        while turn:
            now = await seats[0].snapshot(table_id)
            turn = now.game.turn
            waiting = {1, 2, 3, 4} - {turn, *now.game.out}
            if players == 4 and ply == 14 and not now.game.out:
                await resign(seats[turn - 1], table_id)
            elif players == 4 and ply == 15 and len(now.game.out) == 1:
                await resign(seats[min(waiting) - 1], table_id)
            else:
                options = (await seats[turn - 1].options(table_id)).options
                chosen = options[int(rng.random() * len(options))].placement
                ply = (await seats[turn - 1].place(table_id, ply, chosen)).ply
            for viewer, follower in zip(viewers, followers, strict=True):
                turn = await catch_up(viewer, follower, table_id)


async def catch_up(viewer: Player, follower: Follower, table_id: str) -> int:
    """Follow what was missed, and compare; tells whose turn it is."""
    now = await viewer.snapshot(table_id)
    async with viewer.watch(table_id, after_sequence=follower.sequence) as stream:
        while follower.sequence < now.sequence:
            for event in (await anext(stream)).events:
                follower.take(event)
    follower.same_as(now.game)
    return now.game.turn


async def resign(player: Player, table_id: str) -> None:
    request = play_pb2.ResignRequest(request_id=new_id(), table_id=table_id)
    await player.call(player.play.Resign, request)
