"""`qin tables` and `qin watch` as real processes against a real server."""

from __future__ import annotations

import asyncio
import json
from asyncio.subprocess import Process
from pathlib import Path
from random import Random

import pytest
from cli.served import SECONDS, ran, started
from qin.cli.news import News
from qin.v1 import play_pb2, types_pb2, watch_pb2
from server.players import Player, new_id, play_out, seated, serving


async def line_of(process: Process) -> str:
    assert process.stdout
    return (await asyncio.wait_for(process.stdout.readline(), SECONDS)).decode()


async def until(process: Process, word: str) -> list[str]:
    """All lines up to one with a word."""
    lines = [await line_of(process)]
    while word not in lines[-1]:
        assert lines[-1], lines
        lines.append(await line_of(process))
    return lines


async def say(player: Player, table_id: str, text: str) -> None:
    request = play_pb2.SayRequest(request_id=new_id(), table_id=table_id, text=text)
    await player.call(player.play.Say, request)


async def test_tables_are_listed(tmp_path: Path) -> None:
    async with serving() as (server, channel):
        where = f"127.0.0.1:{server.port}"
        code, out, err = await ran(tmp_path, "tables", where)
        assert (code, out, err) == (0, f"qin://{where}\n  no tables\n", "")
        table_id, _ = await seated(channel)
        secret = await Player(channel).create(3, "tea", games=5)
        code, out, _ = await ran(tmp_path, "tables", where)
        assert code == 0
        free = "(free), (free), (free)"
        assert out.splitlines()[1:] == [
            f"  {secret.table_id}  open      bird    {free}  (game 0 of 5, needs a code)",
            f"  {table_id}  playing   bird    ann, bob",
        ]
        code, out, _ = await ran(tmp_path, "tables", where, "--json")
        (listed,) = json.loads(out)
        assert listed["server"] == f"qin://{where}"
        assert [table["table"] for table in listed["tables"]] == [secret.table_id, table_id]
        assert listed["tables"][1]["seats"] == ["ann", "bob"]


async def test_many_tables_come_in_pages(tmp_path: Path) -> None:
    async with serving() as (server, channel):
        ann = Player(channel)
        for _ in range(101):
            await ann.create()
        _, out, _ = await ran(tmp_path, "tables", f"127.0.0.1:{server.port}", "--json")
        tables = json.loads(out)[0]["tables"]
        assert len({table["table"] for table in tables}) == 101


async def test_a_password_is_asked_for_in_words(tmp_path: Path) -> None:
    async with serving(password="tea") as (server, _):  # noqa: S106
        where = f"127.0.0.1:{server.port}"
        code, out, err = await ran(tmp_path, "tables", where)
        assert (code, out) == (1, "")
        assert err == "this server wants its password; give it in QIN_PASSWORD\n"
        code, _, _ = await ran(tmp_path, "tables", where, QIN_PASSWORD="tea")  # noqa: S106
        assert code == 0


@pytest.mark.parametrize("command", [["tables"], ["watch"]])
async def test_nobody_there_is_one_line(tmp_path: Path, command: list[str]) -> None:
    async with serving() as (server, _):
        port = server.port
    code, out, err = await ran(tmp_path, *command, f"127.0.0.1:{port}/k3v9x2")
    assert (code, out) == (1, "")
    assert err.startswith(f"nobody answers at 127.0.0.1:{port} (Connection refused);")
    assert err.count("\n") == 1


async def test_watch_tells_what_happens_in_words(tmp_path: Path) -> None:
    rng = Random(1)
    async with serving() as (server, channel):
        table_id, players = await seated(channel)
        await say(players[0], table_id, "good luck")
        async with started(tmp_path, "watch", f"127.0.0.1:{server.port}/{table_id}") as process:
            opening = await until(process, "Pagodas left: ann 24, bob 24.")
            assert opening[0] == f"Table {table_id} on bird: ann and bob.\n"
            assert "after 0 plies" in opening[1]
            assert await line_of(process) == "   4  ann: good luck\n"
            await say(players[1], table_id, "and to you")
            await play_out(table_id, players, lambda count: int(rng.random() * count))
            told = await until(process, "the series is over")
        assert told[0] == "   5  bob: and to you\n"
        text = "".join(told)
        for words in ("founds a", "places", "draws a tile from pile", "is over,", "connects"):
            assert words in text


async def test_watch_goes_on_after_a_restart_without_missing_anything(tmp_path: Path) -> None:
    database, rng = str(tmp_path / "qin.db"), Random(2)
    async with serving(database=database) as (server, channel):
        port = server.port
        table_id, players = await seated(channel)
        watching = started(tmp_path, "watch", f"127.0.0.1:{port}/{table_id}", "--json")
        process = await watching.__aenter__()
        snapshot = json.loads(await line_of(process))["snapshot"]
    try:
        assert json.loads(await line_of(process)) == {
            "closing": {"reason": "REASON_SERVER_STOPPING"}
        }
        assert process.stderr
        await asyncio.wait_for(process.stderr.readuntil(b"trying again"), SECONDS)
        async with serving(database=database, port=port) as (_, channel):
            back = [Player(channel, each.name, each.token) for each in players]
            await play_out(table_id, back, lambda count: int(rng.random() * count))
            lines = await until(process, "series_ended")
    finally:
        await watching.__aexit__(None, None, None)
    sequences = [json.loads(line)["sequence"] for line in lines]
    first = snapshot["sequence"] + 1
    assert sequences == list(range(first, first + len(sequences)))


async def test_watch_ends_when_there_is_no_table(tmp_path: Path) -> None:
    async with serving() as (server, _):
        where = f"127.0.0.1:{server.port}"
        code, _, err = await ran(tmp_path, "watch", f"{where}/nosuch")
        assert (code, err) == (1, "there is no table 'nosuch' on this server\n")
        code, _, err = await ran(tmp_path, "watch", where)
        assert code == 2
        assert f"which table? write {where}/TABLE" in err
        code, _, err = await ran(tmp_path, "watch")
        assert code == 2
        assert "which table? write SERVER/TABLE; `qin tables` lists them" in err


async def test_watch_needs_the_code_where_there_is_one(tmp_path: Path) -> None:
    async with serving() as (server, channel):
        table = await Player(channel).create(2, "green tea")
        where = f"127.0.0.1:{server.port}/{table.table_id}"
        code, _, _ = await ran(tmp_path, "watch", where)
        assert code == 1
        for arguments in ([f"qin://{where}?code=green%20tea"], [where, "--code", "green tea"]):
            async with started(tmp_path, "watch", *arguments) as process:
                assert "seat 1 and seat 2" in await line_of(process)
                assert await line_of(process) == "No game is on yet.\n"


def test_news_of_a_table_in_words() -> None:
    news = News()
    events = [
        types_pb2.Event(seat_taken=types_pb2.SeatTaken(seat=2, name="bob\x1b[2J")),
        types_pb2.Event(seat_taken=types_pb2.SeatTaken(seat=1, name="greedy", bot=True)),
        types_pb2.Event(stand_in=types_pb2.StandIn(seat=2, bot="greedy")),
        types_pb2.Event(stand_in=types_pb2.StandIn(seat=2)),
        types_pb2.Event(game_started=types_pb2.GameStarted(game=1, first=1)),
        types_pb2.Event(said=types_pb2.Said(seat=1, name="greedy", text="a\r\nb")),
        types_pb2.Event(seat_left=types_pb2.SeatLeft(seat=2)),
        types_pb2.Event(series_ended=types_pb2.SeriesEnded(totals=[3, 3], winners=[1, 2])),
        types_pb2.Event(),
    ]
    response = watch_pb2.WatchResponse(
        events=events,
        presences=[watch_pb2.Presence(seat=1, connected=True), watch_pb2.Presence(seat=2)],
        closing=watch_pb2.Closing(reason=watch_pb2.Closing.REASON_TABLE_REMOVED),
    )
    assert [line[6:] for line in news.lines(response)] == [
        "bob\\x1b[2J takes seat 2",
        "greedy, a house bot, takes seat 1",
        "greedy stands in for bob\\x1b[2J",
        "bob\\x1b[2J is back",
        "game 1 starts, with greedy",
        "greedy: a\\r\\nb",
        "bob\\x1b[2J leaves seat 2",
        "the series is over, greedy and seat 2 share the victory; pagodas left: greedy 3, seat 2 3",
        "something that a newer qin can tell",
        "greedy is here",
        "seat 2 is away",
        "the table is gone",
    ]
