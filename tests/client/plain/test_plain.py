"""Playing line by line against a real server: everything that the full screen can do."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from pathlib import Path

from client.plain.players import Typist, playing, served
from qin.client import Address
from qin.client.discover import Found
from qin.engine import parse_record

SMALL = "R..V/..Y./B..."
"""A board that is soon full."""


async def table_of(ann: Typist, server: Address) -> Address:
    """Ann opens a table at a server."""
    told = await ann.enter("create", "Pass this line on")
    table = re.search(r"at table (\w+), on the board", told)
    assert table
    return replace(server, table=table[1])


async def test_two_play_a_game_to_its_end_and_again(tmp_path: Path) -> None:
    async with served() as server, playing(tmp_path, "ann", server, board=SMALL) as ann:
        where = await table_of(ann, server)
        async with playing(tmp_path, "bob", where) as bob:
            await ann.until("bob takes seat 2.")
            await bob.until("Seat 2, you: bob.")
            ann.type("start")
            await bob.until("game 1 starts")
            ends = await asyncio.gather(play(ann), play(bob))
            assert all("the game is over, " in told for told in ends)
            for typist in (ann, bob):
                assert re.search(r"You win!|You lose this one\.", typist.told)
                assert "Pagodas left: ann " in typist.told
            path = tmp_path / "game.qin"
            await ann.enter(f"save {path}", f"look at it with: qin replay {path}")
            parse_record(path.read_text("utf-8")).check()
            await ann.enter("rematch", "You want a rematch")
            await bob.until("ann wants a rematch; type rematch if you do.")
            bob.type("rematch")
            await bob.until("game 1 starts")
            await bob.enter("resign", "You lose this one.")
            await ann.until("bob resigns.")
            await ann.until("You win!")


async def play(typist: Typist) -> str:
    """Place what a hint tells first, at every turn, until the end."""
    told = ""
    while "Type rematch" not in told:
        told = await typist.until(".\n")
        if "It is your turn." in told:
            typist.type("hint")
            typist.type("place 1")
    return typist.told


async def test_what_can_be_asked_at_a_table(tmp_path: Path) -> None:
    async with served() as server, playing(tmp_path, "ann", server) as ann:
        where = await table_of(ann, server)
        assert "seat is free" in await ann.enter("now", "free.")
        assert "bot greedy: seat a house bot" in await ann.enter("help", "your seat is kept.")
        await ann.enter("bot", "this server has no house bots")
        await ann.enter("bots", "House bots: none.")
        await ann.enter("start", "seat")
        await ann.enter("tiles", "You hold no tiles.")
        await ann.enter("hint", "the game has not started.")
        async with playing(tmp_path, "bob", where) as bob:
            await ann.until("bob takes seat 2.")
            await bob.until("Seat 2, you: bob.")
            await ann.enter("free 9", "which seat? write free 1 to free 2.")
            ann.type("start")
            first, other = await first_of(ann, bob)
            await first.until("You hold ")
            await first.enter("board", "# no space.")
            assert " 7  .  .  .  .  .  .  Y  .  .  .  .  .  .\n" in first.told
            await first.enter(
                "row 7", "Row 7: a7 to f7 free; g7 a single yellow space; h7 to m7 free."
            )
            await first.enter("row 14", "write row 1 to row 13.")
            told = await first.enter("around g7", "Left, f7: free.")
            assert "g7 is a single yellow space.\nAbove, g6: free.\n" in told
            assert "the edge of the board" in await first.enter(
                "around a13", "Left: "
            ) + await first.until(".")
            await first.enter("around z9", "z9 is off this board; it goes from a1 to m13.")
            await first.enter(
                "villages", "Of nobody, with nothing beside them, are those at e1 f1,"
            )
            await first.enter("provinces", "Single spaces: red ")
            await first.enter("piles", "You draw from the fullest.")
            await first.enter("pile 2", "You draw from pile 2.")
            await first.enter("players", "24 pagodas left, 3 tiles, is to move.")
            told = await first.enter("hint 3", "3 placements. Type place 1 for the first one.")
            placement = re.search(r"^1\. (\w+), ", told, re.MULTILINE)
            assert placement
            await first.enter(f"try {placement[1]}", f"{placement[1]}, ")
            await first.enter("try 2", ": ")
            await first.enter("try Ra1Ra2", "a tile must share an edge with ")
            await first.enter("place 9", "'9' is not in the list; it goes from 1 to 3.")
            await first.enter("Ra1Ra2", "a tile must share an edge with ")
            await first.enter("dance", "'dance' is unknown; type help for what you can type.")
            await other.enter("hint", "that is for your own turn")
            await other.enter("place 1", "type hint first.")
            await first.enter("say hello you", ": hello you.")
            await other.until(": hello you.")
            await first.enter("place 1", f"places {placement[1]}")
            await other.until(f"places {placement[1]}")
            await other.until("It is your turn.")
            await other.enter("log 2", f"places {placement[1]}")
            await first.enter("", "is to move.")


async def first_of(one: Typist, other: Typist) -> tuple[Typist, Typist]:
    """Who is to move, and who is not."""
    told = await one.until("game 1 starts, with ") + await one.until(".")
    await other.until("game 1 starts, with ")
    return (one, other) if told.endswith("ann.") else (other, one)


async def test_tables_are_listed_joined_and_watched(tmp_path: Path) -> None:
    async with served() as server, playing(tmp_path, "ann", server) as ann:
        where = await table_of(ann, server)
        found = Found("ann's game", server, "1", 1, 1, needs_password=False)
        async with playing(tmp_path, "bob", found=[found]) as bob:
            await bob.until("help for the rest.")
            await bob.enter("join 1", "type tables first.")
            await bob.enter("join", "join which table?")
            told = await bob.enter("tables", "Type join 1.")
            assert f"1. ann's game: {where.table}  open     bird    ann, free." in told
            await bob.enter("join 1", "Seat 2, you: bob.")
            ann.type("start")
            await bob.until("game 1 starts")
            async with playing(tmp_path, "cho", found=[found]) as cho:
                await cho.enter("tables", "Type watch 1.")
                await cho.enter("join 1", "there is no free seat at table 1")
                await cho.enter("watch 1", "Seat 2: bob, 24 pagodas left")
                await cho.enter("tiles", "You look on, and hold no tiles.")
                await cho.enter("try Ra1Ra2", "only players may try a tile")
                await cho.enter("quit", "This is the lobby of Qin")
        async with playing(tmp_path, "dan", server) as dan:
            await dan.enter("tables", "Type watch 1.")
            await dan.enter(f"watch {where}", "Seat 1: ann")


async def test_a_game_that_was_left_is_gone_on_with(tmp_path: Path) -> None:
    async with playing(tmp_path, "ann") as ann:
        told = await ann.enter("host", "Type help") + await ann.until("qin play 'qin://")
        line = await ann.until("'\n")
        async with playing(tmp_path, "bob", Address.parse("qin://" + line.rstrip("'\n"))) as bob:
            await bob.until("Seat 2, you: bob.")
            ann.type("start")
            await ann.until("game 1 starts")
            await ann.enter("quit", "This is the lobby of Qin")
            table = re.search(r"at table (\w+)", told)
            assert table
            await ann.until(f"Type go on for bird, with bob (here, table {table[1]}).")
            await ann.enter("go on 2", "there is no such game that you left.")
            await ann.enter("go on", "Seat 1, you: ann, 24 pagodas left")
            await ann.enter("log", "game 1 starts, with ")  # what was before is known again
            await ann.enter("resign", "You lose this one.")
            told = await ann.enter("quit", "help for the rest.")
            assert "go on" not in told


async def test_wishes_and_refusals_in_the_lobby(tmp_path: Path) -> None:
    async with playing(tmp_path, "ann") as ann:
        await ann.enter("board lion", "a game here on lion with 2 seats")
        await ann.enter("board moon", "there is no board 'moon'; there are bird and lion.")
        await ann.enter("bots greedy,random", "you and greedy.")
        await ann.enter("seats 3", "on lion with 3 seats: you and greedy and random.")
        await ann.enter("seats 9", "2 to 4 play Qin; write seats 3.")
        await ann.enter("name eve", "You are eve now.")
        await ann.enter("name a/b", "a name")
        await ann.enter("create", "at which server?")
        await ann.enter("go on", "there is no such game that you left.")
        await ann.enter("dance", "'dance' is unknown; type help for what you can type.")
        await ann.enter("join 127.0.0.1:1/k3v9x2", "nobody answers")
        await ann.enter("help", "quit: leave.")
        await ann.enter("quit", "Goodbye.")


async def test_a_new_game_starts_by_itself_and_is_played_against_a_bot(tmp_path: Path) -> None:
    async with playing(tmp_path, "ann", board=SMALL) as ann:
        await ann.enter("new", "Opening the table.")
        told = await play(ann)
        assert "Seat 1, you: ann.\n" in told
        assert "greedy places " in told
        await ann.enter("rematch", "game 1 starts")
