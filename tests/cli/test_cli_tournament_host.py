"""`qin tournament host`: bots that come from elsewhere, each in a process of its own."""

from __future__ import annotations

import asyncio
import json
import re
from asyncio.subprocess import Process
from pathlib import Path

from bots.tournament.made import lines
from cli.served import ran, started

SECONDS = 60


async def address_of(host: Process) -> str:
    """Where the bots are to come, as the command says."""
    assert host.stderr is not None
    line = (await asyncio.wait_for(host.stderr.readline(), SECONDS)).decode()
    found = re.search(r"qin bot run BOT '(\S+)' --tournament 'spring'", line)
    assert found, line
    return found[1]


async def test_bots_that_offer_themselves_play_each_other(tmp_path: Path) -> None:
    out = tmp_path / "t"
    async with started(
        tmp_path,
        *("tournament", "host", "greedy", "--bots", 2, "--port", 0, "--name", "spring"),
        *("--games", 8, "--seed", 1, "--out", out, "--json"),
    ) as host:
        server = await address_of(host)
        async with (
            started(tmp_path, "bot", "run", "random", server, "--tournament", "spring"),
            started(
                tmp_path,
                *("bot", "run", "random", server, "--name", "ann", "--tournament", "spring"),
            ),
            # One for another tournament, and one for any table, have no part in it.
            started(tmp_path, "bot", "run", "random", server, "--name", "x", "--tournament", "y"),
            started(tmp_path, "bot", "run", "random", server, "--name", "z", "--forever"),
        ):
            told, problems = await asyncio.wait_for(host.communicate(), SECONDS)
    assert host.returncode == 0, problems.decode()
    result = json.loads(told.decode().splitlines()[-1])
    assert {bot["bot"] for bot in result["standings"]} == {"greedy", "random", "ann"}
    assert result["games"] == len(lines(out)) == 8
    assert not any(line["faults"] for line in lines(out))
    records = sorted(map(str, (out / "records").iterdir()))
    code, _, err = await ran(tmp_path, "record", "check", *records)
    assert code == 0, err


async def test_a_bot_that_goes_for_good_is_withdrawn_and_the_others_play_on(
    tmp_path: Path,
) -> None:
    out = tmp_path / "t"
    async with started(
        tmp_path,
        *("tournament", "host", "greedy", "random", "--wait-for", "ann", "--port", 0),
        *("--name", "spring", "--games", 60, "--time", 1, "--faults", 1, "--out", out, "--json"),
    ) as host:
        server = await address_of(host)
        async with started(
            tmp_path,
            *("bot", "run", "random", server, "--name", "ann", "--tournament", "spring"),
        ) as ann:
            assert ann.stdout is not None
            for _ in range(3):  # it waits, and sits down twice
                await asyncio.wait_for(ann.stdout.readline(), SECONDS)
            ann.kill()
        told, problems = await asyncio.wait_for(host.communicate(), SECONDS)
    assert host.returncode == 0, problems.decode()
    result = json.loads(told.decode().splitlines()[-1])
    gone = {bot["bot"]: bot["withdrawn"] for bot in result["standings"]}
    assert gone == {"greedy": False, "random": False, "ann": True}
    met = {(pair["bot"], pair["rival"]): pair for pair in result["pairs"]}
    assert met["greedy", "random"]["wins"] + met["greedy", "random"]["losses"] == 20
    assert not met["greedy", "random"]["marked"]


async def test_a_hosted_tournament_is_resumed_and_waits_for_its_bots_again(tmp_path: Path) -> None:
    out = tmp_path / "t"
    ann = ("bot", "run", "random", "--name", "ann", "--tournament", "spring")
    arguments: tuple[object, ...] = (
        *("host", "greedy", "--wait-for", "ann", "--port", 0, "--name", "spring", "--games", 20),
        *("--out", out),
    )
    for interrupted in (True, False):
        async with started(tmp_path, "tournament", *arguments) as host:
            server = await address_of(host)
            async with started(tmp_path, *ann, server) as bot:
                if interrupted:
                    assert bot.stdout is not None
                    for _ in range(8):  # it waits, and sits down seven times
                        await asyncio.wait_for(bot.stdout.readline(), SECONDS)
                    host.kill()
                _, problems = await asyncio.wait_for(host.communicate(), SECONDS)
                assert interrupted == (len(lines(out)) < 20)
        arguments = ("resume", out, "--port", 0)
    assert host.returncode == 0, problems.decode()
    assert [line["game"] for line in lines(out)] == list(range(1, 21))
    assert not any(line["faults"] for line in lines(out))


async def test_what_is_missing_is_told_before_anybody_waits(tmp_path: Path) -> None:
    for arguments, problem in [
        ((), "give --wait-for or --bots"),
        (("--wait-for", "ann", "--bots", 2), "give --wait-for or --bots"),
        (("--wait-for", "a/b"), "a name has no /"),
        (("gredy", "--bots", 1), "there is no bot 'gredy'"),
    ]:
        code, _, err = await ran(
            tmp_path, "tournament", "host", *arguments, "--port", 0, "--out", tmp_path / "t"
        )
        assert code != 0
        assert problem in err
        assert not (tmp_path / "t").exists()
