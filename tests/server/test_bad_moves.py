"""Moves that the rules, or the moment, forbid: the first reason that applies is told."""

from __future__ import annotations

from collections.abc import Iterator

import grpc
import pytest
from qin.engine import Game, Placement, Reason, Refused, Seat
from qin.engine.spaces import format_spaces
from qin.v1 import lobby_pb2, play_pb2, types_pb2
from server.players import Player, new_id, problem_of, reason_of, seated, serving
from server.retelling import BOARD, Story, games, given, story

REASONS = set(Reason) - {Reason.MUST_PLACE, Reason.OUT_OF_GAME}
SPACES = [f"{column}{row}" for column in "abcdefghijklm" for row in range(1, 14)]


def tried(game: Game) -> Iterator[tuple[Seat, str, int]]:
    """Many requests: seat, placement, pile."""
    other = Seat((game.turn + 1) % game.players)
    yield other, "Rg8Rh8", 0
    legal = next(iter(game.legal), None)
    for pile in range(1, 6):
        if legal is not None:
            yield game.turn, str(legal), pile
    for first, second in zip(SPACES, SPACES[1:] + SPACES[:1], strict=True):
        for one, two in ((one, two) for one in "RYB" for two in "RYB"):
            yield game.turn, f"{one}{first}{two}{second}", 0


def refusals(game: Game, wanted: set[Reason]) -> dict[Reason, tuple[Seat, str, int, Refused]]:
    """One request for each reason that there is here."""
    found: dict[Reason, tuple[Seat, str, int, Refused]] = {}
    for seat, text, pile in tried(game):
        try:
            game.check(seat, Placement.parse(text), pile - 1 if pile else None)
        except Refused as refused:
            if refused.reason in wanted:
                found.setdefault(refused.reason, (seat, text, pile, refused))
    return found


async def dealt(players: list[Player], told: Story) -> str:
    settings = types_pb2.TableSettings(board_name=BOARD, seats=told.players)
    create = lobby_pb2.CreateTableRequest(
        request_id=new_id(), settings=settings, deals=[given(told.deal)]
    )
    table_id: str = (await players[0].call(players[0].lobby.CreateTable, create)).table.table_id
    for player in players:
        await player.join(table_id)
    await players[0].start(table_id)
    return table_id


async def assert_refused(
    player: Player, table_id: str, ply: int, placement: str, pile: int, refused: Refused
) -> None:
    """By placing, and by the preview, which knows no pile."""
    reason = refused.reason.value.upper().replace("-", "_")
    facts = {"spaces": format_spaces(refused.spaces)} if refused.spaces else {}
    expected = (grpc.StatusCode.FAILED_PRECONDITION, reason, facts)
    assert await problem_of(player.place(table_id, ply, placement, pile)) == expected
    if refused.reason is not Reason.EMPTY_PILE:
        request = play_pb2.PreviewPlacementRequest(table_id=table_id, placement=placement)
        assert await problem_of(player.call(player.play.PreviewPlacement, request)) == expected


async def test_every_refusal_of_a_placement_names_its_reason_and_the_spaces() -> None:
    told = story(2, 19)  # in this one there is a place for each reason
    async with serving(allow_deals=True) as (_, channel):
        players = [Player(channel, name) for name in ("ann", "bob")]
        table_id = await dealt(players, told)
        missing = set(REASONS)
        for number, game in enumerate(games(told)):
            for reason, (seat, placement, pile, refused) in refusals(game, missing).items():
                await assert_refused(players[seat], table_id, game.ply, placement, pile, refused)
                missing.remove(reason)
            if number < len(told.acts):
                act = told.acts[number]
                await players[act.seat].place(table_id, game.ply, act.placement, act.pile)
        assert not missing


async def test_the_first_reason_that_applies_is_told() -> None:
    async with serving() as (_, channel):
        table_id, players = await seated(channel)
        game = (await players[0].snapshot(table_id)).game
        mover, waiting = players[game.turn - 1], players[2 - game.turn]
        missing = next(kind for kind in ("RR", "YY", "BB", "RY") if kind not in game.hand)
        far = f"{missing[0]}a1{missing[1]}m13"
        assert await reason_of(waiting.place(table_id, 1, far, 9)) == "STALE_PLY"
        assert await reason_of(waiting.place(table_id, 0, "nonsense", 9)) == "BAD_PLACEMENT"
        assert await reason_of(waiting.place(table_id, 0, far, 9)) == "NOT_YOUR_TURN"
        hand = (await mover.snapshot(table_id)).game.hand
        missing = next(kind for kind in ("RR", "YY", "BB", "RY") if kind not in hand)
        far = f"{missing[0]}a1{missing[1]}m13"
        assert await reason_of(mover.place(table_id, 0, far, 9)) == "NOT_IN_HAND"
        one, two = hand[0][0], hand[0][1]
        assert await reason_of(mover.place(table_id, 0, f"{one}a1{two}m13", 9)) == "NOT_ADJACENT"
        assert await reason_of(mover.place(table_id, 0, f"{one}e1{two}f1", 9)) == "NOT_GRASSLAND"
        assert await reason_of(mover.place(table_id, 0, f"{one}a1{two}b1", 9)) == "NO_CONTACT"
        legal = (await mover.options(table_id)).options[0].placement
        assert await reason_of(mover.place(table_id, 0, legal, 9)) == "EMPTY_PILE"
        assert await reason_of(mover.place(table_id, 0, legal, 2**32 - 1)) == "EMPTY_PILE"
        assert (await mover.place(table_id, 0, legal)).ply == 1


@pytest.mark.parametrize(("game", "ply"), [(0, 1), (0, 2**32 - 1), (2, 0), (2**32 - 1, 0), (1, 7)])
async def test_a_stale_move_is_aborted_and_told_where_the_game_is(game: int, ply: int) -> None:
    async with serving() as (_, channel):
        table_id, players = await seated(channel)
        mover = players[(await players[0].snapshot(table_id)).game.turn - 1]
        request = play_pb2.PlaceTileRequest(
            request_id=new_id(),
            table_id=table_id,
            expected_ply=ply,
            expected_game=game,
            placement=(await mover.options(table_id)).options[0].placement,
        )
        assert await problem_of(mover.call(mover.play.PlaceTile, request)) == (
            grpc.StatusCode.ABORTED,
            "STALE_PLY",
            {"ply": "0", "game": "1"},
        )


async def test_a_stale_sequence_is_out_of_range() -> None:
    async with serving() as (_, channel):
        table_id, players = await seated(channel)
        last = (await players[0].snapshot(table_id)).sequence
        for after in (last + 1, 2**32 - 1):
            async with players[0].watch(table_id, after_sequence=after) as stream:
                assert await problem_of(anext(stream)) == (
                    grpc.StatusCode.OUT_OF_RANGE,
                    "SEQUENCE_UNKNOWN",
                    {"last": str(last)},
                )
        async with players[0].watch(table_id, after_sequence=last) as stream:
            assert not (await anext(stream)).events


async def test_moves_before_a_game_and_after_it() -> None:
    async with serving() as (_, channel):
        owner = Player(channel)
        table_id = (await owner.create()).table_id
        assert await reason_of(owner.place(table_id, 0, "Rg8Rh8")) == "NOT_SEATED"
        await owner.join(table_id)
        assert await reason_of(owner.place(table_id, 0, "Rg8Rh8")) == "NO_GAME"
        assert await reason_of(owner.options(table_id)) == "NO_GAME"
        resign = play_pb2.ResignRequest(request_id=new_id(), table_id=table_id)
        assert await reason_of(owner.call(owner.play.Resign, resign)) == "NO_GAME"
        bob = Player(channel, "bob")
        await bob.join(table_id)
        await owner.start(table_id)
        await owner.call(owner.play.Resign, resign)
        for player in (owner, bob):
            assert await reason_of(player.place(table_id, 0, "Rg8Rh8")) == "GAME_OVER"
            assert not (await player.options(table_id)).options
        again = play_pb2.ResignRequest(request_id=new_id(), table_id=table_id)
        assert await reason_of(bob.call(bob.play.Resign, again)) == "GAME_OVER"


async def test_who_is_out_stays_out() -> None:
    async with serving() as (_, channel):
        table_id, players = await seated(channel, ["ann", "bob", "cho"])
        turn = (await players[0].snapshot(table_id)).game.turn
        quitter = players[turn - 1]
        resign = play_pb2.ResignRequest(request_id=new_id(), table_id=table_id)
        await quitter.call(quitter.play.Resign, resign)
        again = play_pb2.ResignRequest(request_id=new_id(), table_id=table_id)
        assert await reason_of(quitter.call(quitter.play.Resign, again)) == "OUT_OF_GAME"
        assert await reason_of(quitter.place(table_id, 0, "Rg8Rh8")) == "NOT_YOUR_TURN"
        assert not (await quitter.options(table_id)).options
