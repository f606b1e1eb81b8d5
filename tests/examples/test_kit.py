"""The kit for authors of clients: it is up to date, and what it says is so."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import pytest
from examples.scripts import KIT, kit_module
from server.players import serving

PATIENCE = 40


async def run(*arguments: str) -> tuple[int, str]:
    """A script of the kit in a process of its own: its exit code, and what it printed."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *arguments,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        async with asyncio.timeout(PATIENCE):
            out, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
    return process.returncode or 0, out.decode()


async def test_the_kit_is_up_to_date() -> None:
    code, out = await run(str(KIT / "make.py"), "--check")
    assert code == 0, out


async def test_the_session_goes_as_expected_and_again_on_the_same_server() -> None:
    async with serving(allow_deals=True) as (server, _):
        for _ in range(2):
            code, out = await run(str(KIT / "run.py"), f"127.0.0.1:{server.port}")
            assert code == 0, out
            assert "as expected" in out


@pytest.mark.parametrize(
    ("line_with", "was", "now"),
    [
        ('"method": "qin.v1.PlayService/PreviewPlacement"', "a3 b3 c3", "a3 b3 d3"),
        ('"on": "ann", "receive"', '"seat": 2', '"seat": 3'),
        ('"reason": "SEATS_FREE"', "FAILED_PRECONDITION", "ABORTED"),
    ],
)
async def test_a_server_that_differs_is_told_the_line(
    tmp_path: Path, line_with: str, was: str, now: str
) -> None:
    lines = (KIT / "session.jsonl").read_text("utf-8").splitlines()
    number = next(n for n, line in enumerate(lines) if line_with in line and was in line)
    lines[number] = lines[number].replace(was, now)
    script = tmp_path / "session.jsonl"
    script.write_text("\n".join(lines) + "\n", "utf-8")
    async with serving(allow_deals=True) as (server, _):
        code, out = await run(str(KIT / "run.py"), f"127.0.0.1:{server.port}", str(script))
    assert code == 1
    assert out.startswith(f"line {number + 1} ")


async def test_a_server_that_is_not_there_is_told_plainly() -> None:
    code, out = await run(str(KIT / "run.py"), "127.0.0.1:1")
    assert code == 1
    assert "Traceback" not in out


def test_the_session_calls_nearly_everything() -> None:
    lines = map(json.loads, (KIT / "session.jsonl").read_text("utf-8").splitlines())
    called = {line["method"] for line in lines if "method" in line}
    contract = kit_module("run").Contract()
    services = ["Info", "Lobby", "Play", "Watch", "Session", "Offer", "Records"]
    methods = {
        f"{service.full_name}/{method.name}"
        for name in services
        for service in [contract.service(f"qin.v1.{name}Service")]
        for method in service.methods
    }
    # What lists everything on a server differs from server to server.
    assert methods - called == {
        "qin.v1.LobbyService/ListTables",
        "qin.v1.LobbyService/WatchTables",
        "qin.v1.LobbyService/RemoveSeat",
    }
