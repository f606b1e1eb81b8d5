"""`qin serve` as a real process."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import sqlite3
import stat
import time
import urllib.request
from pathlib import Path

import pytest
from cli.served import SECONDS, ran, served, started
from qin.client.address import Address
from qin.client.channel import connected, metadata
from qin.client.discover import discover
from qin.server.certificate import KEY_FILE, kept_certificate
from qin.server.schema import APPLICATION_ID
from qin.v1.info_pb2 import GetInfoRequest, GetInfoResponse
from qin.v1.info_pb2_grpc import InfoServiceStub
from qin.v1.watch_pb2 import Closing
from server.players import Player, seated, serving


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


async def info_at(address: Address, password: str = "") -> GetInfoResponse:
    async with connected(address) as channel:
        return await InfoServiceStub(channel).GetInfo(
            GetInfoRequest(), metadata=metadata(password=password), timeout=10
        )


async def test_it_tells_where_it_is_and_keeps_its_database_private(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        port = server.facts["port"]
        database = tmp_path / "data" / "qin" / "qin.db"
        assert server.facts == {
            "address": f"127.0.0.1:{port}",
            "port": port,
            "uri": f"qin://127.0.0.1:{port}",
            "pin": None,
            "certificate": None,
            "database": str(database),
        }
        assert stat.S_IMODE(database.parent.stat().st_mode) == 0o700
        for file in database.parent.glob("qin.db*"):
            assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert (await info_at(server.address)).protocol_version == 1
        await server.stop()


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_drains_it(tmp_path: Path, how: signal.Signals) -> None:
    async with served(tmp_path) as server, connected(server.address) as channel:
        table_id, (ann, _) = await seated(channel)
        async with ann.watch(table_id) as stream:
            assert (await anext(stream)).HasField("snapshot")
            began = time.monotonic()
            server.process.send_signal(how)
            server.process.send_signal(how)  # as wrappers do that pass on what the terminal sent
            last = [response async for response in stream][-1]
            assert last.closing.reason == Closing.REASON_SERVER_STOPPING
        _, err = await asyncio.wait_for(server.process.communicate(), SECONDS)
        assert server.process.returncode == 0
        assert time.monotonic() - began < 5
        logged = [json.loads(line)["event"] for line in err.decode().splitlines()]
        assert logged[0] == "server started"
        assert logged[-2:] == ["server stopping", "server stopped"]


async def test_every_table_is_there_after_a_restart(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        async with connected(server.address) as channel:
            table_id, _ = await seated(channel)
        await server.stop()
    async with served(tmp_path) as server, connected(server.address) as channel:
        assert (await Player(channel).snapshot(table_id)).game.turn


async def test_nothing_secret_is_logged_or_measured(tmp_path: Path) -> None:
    port, password = free_port(), "open-sesame"
    async with served(
        tmp_path,
        *("--db", ":memory:", "--metrics-port", port, "--log-level", "debug"),
        QIN_PASSWORD=password,
    ) as server:
        async with connected(server.address) as channel:
            ann = Player(channel, "Annabella")
            ann.metadata = metadata(token=ann.token, password=password)
            table = await ann.create(2, "invite-me")
            await ann.join(table.table_id, invite_code="invite-me")
            await ann.call(ann.info.GetInfo, GetInfoRequest(client="probe/\x1b[2J" * 99))
        figures = await asyncio.to_thread(_read, f"http://127.0.0.1:{port}/metrics")
        logged = await server.stop()
    assert 'grpc_server_handled_total{code="OK",method="LobbyService/CreateTable"} 1.0' in figures
    assert "qin_tables 1.0" in figures
    assert "table created" in logged
    assert "probe/" in logged
    assert "\x1b" not in logged
    assert len(max(logged.splitlines(), key=len)) < 500
    for secret in (ann.token, password, "invite-me", "Annabella"):
        assert secret not in figures
        assert secret not in logged


def _read(url: str) -> str:
    with urllib.request.urlopen(url, timeout=10) as response:  # noqa: S310 - our own
        text: str = response.read().decode()
        return text


async def test_on_the_lan_it_speaks_tls_and_is_found(tmp_path: Path) -> None:
    name = f"lan test {tmp_path.name}"
    arguments = ("--lan", "--host", "127.0.0.1", "--name", name)
    async with served(tmp_path, *arguments) as server:
        pin = server.facts["pin"]
        assert server.facts["certificate"] == str(tmp_path / "data" / "qin" / "certificate.pem")
        assert server.facts["uri"] == f"qin://127.0.0.1:{server.facts['port']}?pin={pin}"
        assert (await info_at(server.address)).protocol_version == 1
        for _ in range(10):
            found = await discover(1, interfaces=["127.0.0.1"])
            if any(each.name == name and each.address == server.address for each in found):
                break
        else:
            pytest.fail("it was not found")
        await server.stop()
    async with served(tmp_path, *arguments) as server:
        assert server.facts["pin"] == pin


async def test_a_certificate_of_ones_own(tmp_path: Path) -> None:
    own = kept_certificate(tmp_path / "own")
    key = tmp_path / "own" / KEY_FILE
    async with served(tmp_path, "--tls-cert", own.path, "--tls-key", key) as server:
        assert server.facts["pin"] == own.pin
        assert (await info_at(server.address)).protocol_version == 1


async def test_the_password_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text("tea\n")
    async with served(tmp_path, "--password-file", file, QIN_PASSWORD="coffee") as server:  # noqa: S106
        assert (await info_at(server.address, "tea")).needs_password


async def test_limits_have_flags(tmp_path: Path) -> None:
    flags = {
        "message_bytes": 5000,
        "chat_length": 7,
        "games": 3,
        "tables_per_address": 4,
        "watchers_per_table": 5,
        "requests_per_second": 6,
    }
    arguments = [f"--max-{name.replace('_', '-')}={value}" for name, value in flags.items()]
    async with served(tmp_path, *arguments, "--allow-deals") as server:
        info = await info_at(server.address)
        assert {name: getattr(info.limits, name) for name in flags} == flags
        assert info.allows_deals


async def test_for_people_it_says_what_to_do_next(tmp_path: Path) -> None:
    arguments = ("serve", "--port", 0, "--lan", "--host", "127.0.0.1", "--db", ":memory:")
    async with started(tmp_path, *arguments, QIN_PASSWORD="tea") as process:  # noqa: S106
        assert process.stdout
        said = await asyncio.wait_for(process.stdout.readuntil(b"Ctrl-C stops it.\n"), SECONDS)
    text = said.decode()
    assert "Qin 0.1.0 listens on 127.0.0.1:" in text
    assert "keeps nothing" in text
    assert text.count("qin://127.0.0.1:") == 1
    assert str(tmp_path / "data" / "qin" / "certificate.pem") in text
    assert "QIN_PASSWORD" in text
    assert "tea" not in text


# ---- refusals: one line, exit 1 ----------------------------------------------------------------


async def refused(home: Path, *arguments: object, code: int = 1) -> str:
    """What a server says that does not start."""
    returned, out, err = await ran(home, "serve", "--port", 0, "--json", *arguments)
    assert returned == code
    assert not out
    assert "Traceback" not in err
    if code == 1:
        assert err.count("\n") == 1
    return err


async def test_a_second_server_on_the_database_is_refused(tmp_path: Path) -> None:
    async with served(tmp_path):
        assert "qin.db: another server is using it" in await refused(tmp_path)


async def test_a_port_in_use_is_refused(tmp_path: Path) -> None:
    async with serving() as (server, _):
        said = await refused(tmp_path, "--port", server.port, "--db", ":memory:")
        assert f"cannot listen on 127.0.0.1:{server.port}" in said
        assert "--port" in said


async def test_a_port_of_metrics_in_use_is_refused(tmp_path: Path) -> None:
    async with serving() as (server, _):
        said = await refused(tmp_path, "--metrics-port", server.port, "--db", ":memory:")
        assert f"metrics cannot be served on port {server.port}" in said


async def test_metrics_without_their_package_are_refused(tmp_path: Path) -> None:
    (tmp_path / "prometheus_client.py").write_text("raise ImportError")
    code, _, err = await ran(
        tmp_path,
        *("serve", "--port", 0, "--db", ":memory:", "--metrics-port", free_port()),
        PYTHONPATH=str(tmp_path),
    )
    assert (code, err) == (1, "metrics need a further package: pip install 'qin-game[metrics]'\n")


async def test_databases_of_others_are_refused(tmp_path: Path) -> None:
    newer, foreign, text = (tmp_path / name for name in ("newer.db", "foreign.db", "text.db"))
    with sqlite3.connect(newer) as database:
        database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        database.execute("PRAGMA user_version = 99")
    database.close()
    with sqlite3.connect(foreign) as database:
        database.execute("CREATE TABLE songs (name TEXT)")
    database.close()
    text.write_text("Dear diary, " * 100)
    assert "written by a newer qin" in await refused(tmp_path, "--db", newer)
    assert "a database of another program" in await refused(tmp_path, "--db", foreign)
    assert "is not a database" in await refused(tmp_path, "--db", text)
    assert str(tmp_path) in await refused(tmp_path, "--db", tmp_path)


async def test_bad_certificates_are_refused(tmp_path: Path) -> None:
    own, other = kept_certificate(tmp_path / "own"), kept_certificate(tmp_path / "other")
    key, missing = tmp_path / "other" / KEY_FILE, tmp_path / "missing.pem"

    async def said(cert: Path, key: Path) -> str:
        return await refused(tmp_path, "--tls-cert", cert, "--tls-key", key)

    assert "missing.pem: cannot be read: No such file" in await said(missing, key)
    assert "is the key of another certificate" in await said(own.path, key)
    assert "is no certificate in PEM" in await said(key, key)
    assert "is no key in PEM" in await said(other.path, other.path)


async def test_passwords_that_cannot_be_sent_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "password"
    for content, said in (("", "is empty"), ("thé", "of ASCII"), (" tea", "no blanks")):
        file.write_text(content, "utf-8")
        assert said in await refused(tmp_path, "--password-file", file)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--allow-deals", "--lan"], "--allow-deals is for this machine alone"),
        (["--allow-deals", "--host", "192.0.2.1"], "--allow-deals is for this machine alone"),
        (["--allow-deals", "--host", "0.0.0.0"], "--allow-deals is for this machine alone"),  # noqa: S104
        (["--lan", "--host", "::1"], "--lan is found by IPv4"),
        (["--tls-cert", "x"], "belong together"),
        (["--tls-cert", "x", "--tls-key", "y", "--plaintext"], "contradict"),
        (["--keep", "soon"], "'soon' is not a time; write 90s, 30m, 24h or 7d"),
        (["--keep", "0h"], "is not a time"),
        (["--password", "a", "--password-file", "b"], "not both"),
        (["--port", "70000"], "70000 is not in the range"),
        (["--max-chat-length", "0"], "0 is not in the range"),
        (["--lan", "--name", "\x1b[2J"], "control characters"),
        (["--lan", "--name", " "], "it is empty"),
    ],
)
async def test_wrong_usage_is_told(tmp_path: Path, arguments: list[str], said: str) -> None:
    assert said in await refused(tmp_path, *arguments, code=2)
