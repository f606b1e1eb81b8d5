"""Whole games over gRPC between bots of all kinds: built in, from a file, in Node."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from cli.served import ran
from needs import needs
from qin.bots import Spec
from qin.bots.runner import Runner
from qin.client import Address, connect
from qin.engine import parse_record
from qin.server.certificate import kept_certificate
from qin.server.options import Options
from qin.server.server import running
from qin.v1 import types_pb2
from server.players import until_so

SECONDS = 60
PASSWORD = "green tea"  # noqa: S105

PLUGGED_IN = """
from helper import first
from qin.bots import Bot

class Plugged(Bot):
    def choose(self, view, options):
        return first(options)
"""


@needs("node", "npm")
@pytest.mark.parametrize(
    "kinds",
    [("node", "lookahead"), ("plugged", "node", "greedy"), ("node", "plugged", "random", "node")],
)
async def test_bots_of_all_kinds_play_a_series_at_one_table(
    tmp_path: Path, node_example: Path, kinds: tuple[str, ...]
) -> None:
    """Over TLS, with a password: what a program needs it finds in its environment."""
    (tmp_path / "plugged.py").write_text(PLUGGED_IN)
    (tmp_path / "helper.py").write_text("def first(options):\n    return options[0].placement\n")
    specs = {
        "node": f"exec:node {node_example / 'bot.js'}",
        "plugged": f"{tmp_path / 'plugged.py'}:Plugged",
        "lookahead": "lookahead:width=3,samples=1",
    }
    kept = kept_certificate(tmp_path)
    options = Options(port=0, certificate=(kept.key, kept.chain), password=PASSWORD)
    async with running(options) as server:
        address = Address("127.0.0.1", server.port, pin=kept.pin)
        async with connect(address, password=PASSWORD) as client:
            settings = types_pb2.TableSettings(games=2, no_spectators=True)
            table = await client.create(
                board="bird", seats=len(kinds), code="tea", settings=settings
            )
            tasks = []
            for number, kind in enumerate(kinds):
                spec = Spec.parse(specs.get(kind, kind))
                runner = Runner(spec.load(), spec.name, f"{number}", PASSWORD)
                mine = client.with_token(f"{number:064x}")
                joining = runner.join(mine, table.table_id, code="tea", seat=number + 1)
                tasks.append(asyncio.create_task(joining))

            async def all_there() -> bool:
                return all(seat.name for seat in (await table.look()).seats)

            await until_so(all_there)
            await table.start()
            played = await asyncio.wait_for(asyncio.gather(*tasks), SECONDS)
            assert played == [2] * len(kinds)
            mine = client.with_token(f"{0:064x}")
            records = [info async for info in mine.records(table.table_id)]
            assert len(records) == 2
            for info in records:
                record = parse_record(await client.record(info.record_id))
                *_, (game, _) = record.replay()
                assert game.outcome == record.outcome


@needs("node", "npm")
async def test_the_node_bot_passes_the_check(tmp_path: Path, node_example: Path) -> None:
    code, out, err = await ran(
        tmp_path, "bot", "check", f"exec:node {node_example / 'bot.js'}", "--time", "20"
    )
    assert (code, err) == (0, ""), out
    assert "bot.js is ready to play." in out


@needs("node", "npm")
async def test_a_program_takes_part_in_a_tournament(tmp_path: Path, node_example: Path) -> None:
    bots = ("random", f"exec:node {node_example / 'bot.js'}")
    folder = tmp_path / "cup"
    code, out, err = await ran(
        tmp_path, "tournament", "run", *bots, "--games", 2, "--seed", 1, "--out", folder
    )
    assert code == 0, err
    assert "bot.js" in out
    lines = [json.loads(line) for line in (folder / "results.jsonl").read_text().splitlines()]
    assert [line["seats"] for line in lines] == [["random", "bot.js"], ["bot.js", "random"]]
    assert [line["faults"] for line in lines] == [[], []]
    for file in (folder / "records").iterdir():
        parse_record(file.read_text()).check()


async def test_a_bot_that_hangs_delays_nobody_beyond_its_clock(tmp_path: Path) -> None:
    file = tmp_path / "hangs.py"
    file.write_text(
        "import time\nfrom qin.bots import Bot\n\n\nclass Hangs(Bot):\n"
        "    def choose(self, view, options):\n        time.sleep(3600)\n"
    )
    async with (
        running(Options(port=0)) as server,
        connect(f"127.0.0.1:{server.port}") as client,
    ):
        settings = types_pb2.TableSettings(clock=types_pb2.ClockSettings(move_seconds=1))
        table = await client.create(board="lion", seats=3, settings=settings)
        specs = ["greedy", f"{file}:Hangs", "greedy"]
        tasks = [
            asyncio.create_task(
                Runner(Spec.parse(text).load(), f"bot {n}", "1").join(
                    client.with_token(f"{n:064x}"), table.table_id, seat=n + 1
                )
            )
            for n, text in enumerate(specs)
        ]

        async def all_there() -> bool:
            return all(seat.name for seat in (await table.look()).seats)

        await until_so(all_there)
        await table.start()
        # The one that hangs is out after a second; its runner goes on to the end with the others.
        assert await asyncio.wait_for(asyncio.gather(*tasks), SECONDS) == [1, 1, 1]
        (info,) = [info async for info in client.records()]
        record = parse_record(await client.record(info.record_id))
        assert "forfeit" in str(record)
        assert 1 not in record.outcome.winners
