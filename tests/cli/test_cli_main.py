"""What all commands have in common: help, versions, and how they end when something is wrong."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest
from click.testing import Result
from qin.cli.main import COMMANDS, cli
from qin.engine import RULES_VERSION

Qin = Callable[..., Result]
Process = Callable[..., subprocess.CompletedProcess[str]]


def commands() -> Iterator[list[str]]:
    """Every command and subcommand that there is."""

    def below(command: click.Command, path: list[str]) -> Iterator[list[str]]:
        yield path
        if isinstance(command, click.Group):
            ctx = click.Context(command)
            for name in command.list_commands(ctx):
                subcommand = command.get_command(ctx, name)
                assert subcommand
                yield from below(subcommand, [*path, name])

    return below(cli, [])


@pytest.mark.parametrize("path", list(commands()), ids=" ".join)
def test_help_of_every_command_has_an_example_that_names_it(qin: Qin, path: list[str]) -> None:
    result = qin(*path, "--help")
    assert result.exit_code == 0
    example = result.stdout.partition("Example:\n")[2]
    assert " ".join(["qin", *path]) in example


def test_there_are_the_commands_of_the_design() -> None:
    found = {" ".join(path) for path in commands()}
    assert {"play", "simulate", "record check", "record show", "boards", "boards check"} <= found
    assert {"serve", "tables", "watch"} <= found


def test_the_list_of_commands_says_what_each_says_itself() -> None:
    ctx = click.Context(cli)
    for name, listed in COMMANDS.items():
        command = cli.get_command(ctx, name)
        assert command
        assert command.short_help == listed.help


def test_help_and_version_load_no_command(qin_process: Process) -> None:
    script = (
        "import sys\n"
        "from qin.cli.main import cli\n"
        "for option in '--help', '--version':\n"
        "    try: cli([option])\n"
        "    except SystemExit as end: assert end.code == 0\n"
        "assert not {'qin.cli.simulate', 'qin.cli.record', 'grpc'} & set(sys.modules)\n"
        "try: cli(['simulate', '--games', '1'])\n"
        "except SystemExit: pass\n"
        "assert 'qin.cli.simulate' in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", script], check=False, timeout=60)
    assert done.returncode == 0
    assert qin_process("--help").stdout == qin_process("-h").stdout


def test_version_tells_all_versions(qin: Qin) -> None:
    result = qin("--version")
    assert result.exit_code == 0
    told = dict(line.split(" ", 1) for line in result.stdout.splitlines())
    assert list(told) == ["qin-game", "rules", "protocol", "record", "Python"]
    assert told["rules"] == RULES_VERSION
    assert told["Python"] == sys.version.split()[0]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["chess"], "No such command 'chess'"),
        (["simulate", "--board", "brid"], "no board and no file 'brid'; the boards are bird, lion"),
        (["simulate", "--board", ""], "the boards are bird, lion"),
        (["simulate", "--players", "5"], "5 is not in the range 2<=x<=4"),
        (["simulate", "--games", "0"], "0 is not in the range x>=1"),
        (["simulate", "--seed", "x"], "'x' is not a valid integer"),
        (["play", "--seats", "1"], "1 is not in the range"),
        (["record", "check"], "Missing argument 'FILE...'"),
        (["record", "show", "x.qin", "--ply", "-1"], "-1 is not in the range"),
        (["boards", "show", "tiger"], "no board and no file 'tiger'"),
        (["boards", "--json", "show", "bird"], "--json belongs behind show"),
    ],
)
def test_wrong_usage_is_told_and_exits_2(qin: Qin, arguments: list[str], said: str) -> None:
    result = qin(*arguments)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stdout == ""


def test_a_fault_of_ours_is_one_line_without_a_traceback(
    qin: Qin, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("not\nplanned")

    monkeypatch.setattr("qin.cli.simulate.random_start", broken)
    result = qin("simulate")
    assert result.exit_code == 1
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith(
        "this is a fault in qin itself: ZeroDivisionError: not\\nplanned"
    )
    monkeypatch.setenv("QIN_TRACEBACK", "1")
    assert isinstance(qin("simulate").exception, ZeroDivisionError)


def test_an_interrupt_exits_130_and_says_nothing(qin: Qin, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("qin.cli.simulate.random_start", interrupted)
    result = qin("simulate")
    assert result.exit_code == 130
    assert result.output.strip() == ""


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_ctrl_c_exits_130_and_says_nothing(tmp_path: Path) -> None:
    fifo = tmp_path / "game.qin"
    os.mkfifo(fifo)
    process = subprocess.Popen(
        [sys.executable, "-m", "qin.cli", "record", "check", str(fifo)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    # Opening waits until the command opens its end: it is at work then, and waits for bytes.
    with process, fifo.open("wb"):
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert (out + err).strip() == b""


@pytest.mark.parametrize("arguments", [["boards", "show", "bird"], ["play"], ["--help"]])
def test_a_closed_pipe_is_quiet(qin_process: Process, arguments: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        done = qin_process(*arguments, stdout=writer)
    finally:
        os.close(writer)
    assert done.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("arguments", [["boards"], ["--help"]])
def test_a_full_disk_is_told_in_one_line(qin_process: Process, arguments: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = qin_process(*arguments, stdout=full.fileno())
    assert done.returncode == 1
    assert done.stderr == "input or output failed: no space left on device\n"


def test_a_name_that_the_terminal_cannot_show_does_not_end_the_program(
    qin_process: Process, golden: Path, tmp_path: Path
) -> None:
    named = tmp_path / "named.qin"
    named.write_text(golden.read_text().replace("ann/bob", "ann/秦"), "utf-8")
    done = qin_process("record", "check", named, PYTHONIOENCODING="latin-1")
    assert done.returncode == 0
    assert "winner \\u79e6" in done.stdout


def test_colours_only_where_they_are_wanted(qin: Qin, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert "\x1b[31mR" in qin("boards", "show", "bird", color=True).stdout
    assert "\x1b" not in qin("boards", "show", "bird").stdout
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in qin("boards", "show", "bird", color=True).stdout
