"""docs/client.md is true: its program plays a whole game, and what it names is there."""

from __future__ import annotations

import asyncio
import re
import sys
from pathlib import Path

import qin.client
import qin.client.happenings
from qin.bots import Spec
from qin.bots.runner import Runner
from qin.client import connect
from qin.server.options import Options
from qin.server.server import running
from server.players import until_so

PAGE = (Path(__file__).parents[2] / "docs" / "client.md").read_text("utf-8")


async def test_the_program_plays_a_whole_game_in_under_40_lines() -> None:
    (program,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len(program.splitlines()) < 40
    async with (
        running(Options(port=0)) as server,
        connect(f"127.0.0.1:{server.port}") as client,
    ):
        runner = Runner(Spec.parse("greedy").load(), "greedy", "1")
        offering = asyncio.create_task(runner.offer(client, games=None))

        async def offered() -> bool:
            return bool((await client.info()).house_bots)

        await until_so(offered)
        here = program.replace('"127.0.0.1"', f'"127.0.0.1:{server.port}"')
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-W", "error", "-c", here),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        out, err = await asyncio.wait_for(process.communicate(), 60)
        offering.cancel()
    assert (process.returncode, err.decode()) == (0, "")
    assert "game 1 starts, with" in out.decode()
    assert out.decode().splitlines()[-1].startswith("the series is over,")


def test_what_the_page_names_is_there() -> None:
    for name in re.findall(r"`table\.(\w+)\(", PAGE):
        assert hasattr(qin.client.Table, name)
    for name in re.findall(r"`client\.(\w+)\(", PAGE):
        assert hasattr(qin.client.Client, name)
    for name in ("SeatTaken", "GameStarted", "Said", "PresenceChanged", "ConnectionLost"):
        assert f"`{name}`" in PAGE
        assert hasattr(qin.client.happenings, name)
