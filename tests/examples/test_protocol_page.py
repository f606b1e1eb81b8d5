"""docs/protocol.md is true: what it lists is what there is, and its examples were tried."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from examples.scripts import HOUSE, kit_module
from needs import needs
from qin.engine.shuffle import Stream, commitment_to, shuffled_deal
from qin.engine.tiles import format_tiles
from qin.server.options import Limits
from qin.server.problems import CODES
from qin.v1 import (
    info_pb2,
    lobby_pb2,
    offer_pb2,
    play_pb2,
    records_pb2,
    session_pb2,
    types_pb2,
    watch_pb2,
)
from qin.v1.conventions import CERTIFICATE_NAME, DEFAULT_PORT, PIN_DIGITS, PROTOCOL_VERSION
from server.players import serving

PAGE = (HOUSE / "docs" / "protocol.md").read_text("utf-8")


def section(title: str) -> str:
    """What stands under a heading."""
    _, found, rest = PAGE.partition(f"\n## {title}\n")
    assert found, title
    return rest.partition("\n## ")[0]


def rows(text: str) -> Iterator[list[str]]:
    """The cells of all tables in a text, without their heads."""
    body = False
    for line in text.splitlines():
        if line.startswith("| ---"):
            body = True
        elif not line.startswith("|"):
            body = False
        elif body:
            yield [cell.strip() for cell in line.strip("|").split(" |")]


def words(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def test_every_error_is_explained_once_under_its_code() -> None:
    explained = [(words(row[0])[0], words(row[1])[0]) for row in rows(section("Errors"))]
    known = [(code.name, reason) for code, reasons in CODES.items() for reason in reasons]
    assert sorted(explained) == sorted(known)
    assert all(len(row) == 4 and row[2] and row[3] for row in rows(section("Errors")))


def test_every_call_is_explained() -> None:
    files = [info_pb2, lobby_pb2, play_pb2, watch_pb2, session_pb2, offer_pb2, records_pb2]
    known = [
        f"{service.name}.{method.name}"
        for file in files
        for service in file.DESCRIPTOR.services_by_name.values()
        for method in service.methods
    ]
    assert [words(row[0])[0] for row in rows(section("Every call"))] == known


def test_every_kind_of_event_is_explained() -> None:
    kinds = [field.name for field in types_pb2.Event.DESCRIPTOR.oneofs_by_name["kind"].fields]
    explained = [word for row in rows(section("Watching")) for word in words(row[0])]
    assert sorted(explained) == sorted(kinds)


def test_every_state_of_a_table_and_every_closing_is_explained() -> None:
    states = [words(row[0])[0] for row in rows(section("The life of a table"))]
    assert [f"TABLE_STATE_{state}" for state in states] == types_pb2.TableState.keys()[1:]
    for reason in watch_pb2.Closing.Reason.keys()[1:]:
        assert f"`{reason.removeprefix('REASON_')}`" in section("Watching")


def test_the_limits_are_the_usual_ones() -> None:
    limits = Limits()
    told = {words(row[0])[0]: int(row[1]) for row in rows(section("Limits"))}
    assert list(told) == [field.name for field in info_pb2.Limits.DESCRIPTOR.fields]
    assert told.pop("map_side") == 26
    assert told == {name: getattr(limits, name) for name in told}
    assert limits.backlog_bytes == 1 << 20


def test_the_conventions_are_those_of_the_code() -> None:
    assert f"This page describes version {PROTOCOL_VERSION}." in PAGE
    connecting = section("Connecting")
    assert f"port {DEFAULT_PORT}" in connecting
    assert f"first {PIN_DIGITS} hex digits" in " ".join(connecting.split())
    assert f"`{CERTIFICATE_NAME}`" in connecting


def test_the_example_of_the_shuffle_is_what_comes_out() -> None:
    table = section("The shuffle, to the byte")
    told = {row[0]: words(row[1])[0] for row in rows(table) if len(row) == 2}
    salt = bytes.fromhex(told["salt"])
    nonces = [bytes.fromhex(told[f"nonce of seat {seat}"]) for seat in (1, 2)]
    assert told["commitment"] == commitment_to(salt) == sha256(salt).hexdigest()
    seeds = [sha256(salt + bytes([0, 0, 0, game]) + b"".join(nonces)).digest() for game in (0, 1)]
    assert [told["seed of game 0"], told["seed of game 1"]] == [seed.hex() for seed in seeds]
    draws = [sha256(seeds[1] + bytes(7) + bytes([n])).digest()[:8] for n in (0, 1)]
    assert [told["draw 0"], told["draw 1"]] == [draw.hex() for draw in draws]
    swaps = [f"{71 - n} with {int.from_bytes(draws[n], 'big') % (72 - n)}" for n in (0, 1)]
    assert [told["first swap"], told["second swap"]] == swaps
    deal = shuffled_deal(Stream(salt, 1, nonces), 2)
    assert told["hands"] == "/".join(map(format_tiles, deal.hands))
    assert told["first of each pile"] == format_tiles(pile[0] for pile in deal.piles)
    assert told["who starts by lot"] == str(1 + Stream(salt, 0, nonces).below(2))


def test_the_worked_session_is_that_of_the_kit() -> None:
    """And the kit is played against a real server by its own test."""
    shown = re.findall(r"```json\n(.*?)\n```", section("A worked session"), re.DOTALL)
    blocks = map(json.loads, shown)
    kit = kit_module("run")
    names = kit.Names()
    script = (HOUSE / "examples" / "kit" / "session.jsonl").read_text("utf-8").splitlines()
    for step, line in zip(kit_module("steps").STEPS, map(json.loads, script), strict=True):
        if step.get("show") and "method" in step:
            names.compare(line.get("request", {}), next(blocks))
        if step.get("show") is True:
            for kind in {"response", "error", "receive"} & line.keys():
                names.compare(line[kind], next(blocks))
    assert not list(blocks)


@needs("bash", "od")
async def test_what_is_to_be_tried_with_buf_curl_works(tmp_path: Path) -> None:
    (block,) = re.findall(r"```\n(.*?)\n```", section("Try it"), re.DOTALL)
    commands = block.replace("\\\n", " ").splitlines()
    assert commands.pop(0).startswith("qin serve")
    async with serving() as (server, _):
        schema = f"--schema {HOUSE / 'examples' / 'kit' / 'qin-v1.binpb'}"
        commands.append(commands[1].replace("curl ", f"curl {schema} "))
        methods, info, created, info_by_schema = [
            await _bash(command.replace(str(DEFAULT_PORT), str(server.port)), tmp_path)
            for command in commands
        ]
    for method in (row[0] for row in rows(section("Every call"))):
        assert f"qin.v1.{words(method)[0].replace('.', '/')}" in methods.split()
    assert json.loads(info)["protocolVersion"] == PROTOCOL_VERSION
    assert json.loads(info_by_schema) == json.loads(info)
    assert json.loads(created)["table"]["state"] == "TABLE_STATE_OPEN"


async def _bash(command: str, folder: Path) -> str:
    beside = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    process = await asyncio.create_subprocess_exec(
        "bash",
        "-c",
        command,
        cwd=folder,
        env={**os.environ, "PATH": beside, "BUF_CACHE_DIR": str(folder)},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    async with asyncio.timeout(30):
        out, err = await process.communicate()
    assert process.returncode == 0, err.decode()
    return out.decode()
