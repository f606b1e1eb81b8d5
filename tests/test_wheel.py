"""What friends install: the wheel, in an environment that knows nothing of this folder."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import sysconfig
import venv
from asyncio.subprocess import DEVNULL, PIPE
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZipFile

import pytest
from cli.served import environment

HOUSE = Path(__file__).parent.parent
SECONDS = 60


@dataclass(frozen=True)
class Installed:
    """An environment of its own with the wheel in it."""

    wheel: Path
    folder: Path
    home: Path

    @property
    def scripts(self) -> Path:
        return self.folder / ("Scripts" if sys.platform == "win32" else "bin")

    def run(self, *command: str) -> str:
        """What a program of this environment prints, with nothing on its standard input."""
        program, *arguments = command
        ran = subprocess.run(
            [str(self.scripts / program), *arguments],
            cwd=self.home,
            env=environment(self.home),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
            timeout=SECONDS,
        )
        assert ran.returncode == 0, ran.stderr
        return ran.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    folder = tmp_path_factory.mktemp("wheel")
    quiet = ("--quiet", "--disable-pip-version-check", "--no-deps")
    pip = (sys.executable, "-m", "pip")
    build = ("wheel", "--no-build-isolation", "--wheel-dir", str(folder), str(HOUSE))
    subprocess.run([*pip, *build, *quiet], check=True, timeout=SECONDS)
    (wheel,) = folder.glob("*.whl")
    made = Installed(wheel, folder / "clean", folder / "home")
    made.home.mkdir()
    venv.create(made.folder, with_pip=False)
    python = next(made.scripts.glob("python*"))
    install = ("--python", str(python), "install", "--no-index", str(wheel))
    subprocess.run([*pip, *install, *quiet], check=True, timeout=SECONDS)
    # The dependencies are those of the tests: a folder that is added so has its packages seen,
    # but not its .pth files, and by one of these this house is installed there.
    (packages,) = made.folder.glob("**/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"), "utf-8")
    return made


def test_the_wheel_has_everything_and_nothing_else(installed: Installed) -> None:
    names = ZipFile(installed.wheel).namelist()
    parts = ("v1", "engine", "server", "client", "cli", "bots")
    for part in parts:
        assert f"qin/{part}/py.typed" in names
    wanted = [
        str(path.relative_to(root.parent))
        for root in (HOUSE / folder / "qin" for folder in ("proto", "engine", "client", "bots"))
        for path in root.rglob("*")
        if path.suffix in (".proto", ".txt", ".py")
    ]
    assert wanted
    assert set(wanted) <= set(names)
    assert installed.wheel.name in (HOUSE / "README.md").read_text("utf-8")
    assert {name.split("/")[0] for name in names} == {"qin", f"{_stem(installed.wheel)}.dist-info"}
    assert all(name.split("/")[1] in parts for name in names if name.startswith("qin/"))


def _stem(wheel: Path) -> str:
    return "-".join(wheel.name.split("-")[:2])


def test_it_runs_from_its_own_files(installed: Installed) -> None:
    where = "import qin, qin.cli.play, qin.server.server, qin.bots; print(*qin.__path__, sep='\\n')"
    (path,) = installed.run("python", "-c", where).splitlines()
    assert Path(path).is_relative_to(installed.folder)
    assert installed.run("qin", "--version").startswith("qin-game ")
    assert installed.run("qin", "boards").split()[0] == "bird"
    told = installed.run("qin", "play", "--seed", "7", "--board", "lion")
    assert told.startswith("greedy and greedy-2 play on lion, seed 7.")
    assert "The game is over, " in told
    assert installed.run("qin", "bot", "list").startswith("champion")


async def test_a_game_is_played_with_a_server_and_a_bot_of_its_own(installed: Installed) -> None:
    process = await asyncio.create_subprocess_exec(
        *(str(installed.scripts / "qin"), "play", "--plain", "--name", "ann"),
        cwd=installed.home,
        env=environment(installed.home),
        stdin=PIPE,
        stdout=PIPE,
        stderr=DEVNULL,
    )
    assert process.stdin
    assert process.stdout
    async with asyncio.timeout(SECONDS):
        for typed, told in (("new", "your turn"), ("hint 1", "place 1"), ("place 1", "greedy pl")):
            process.stdin.write(f"{typed}\n".encode())
            while told not in (line := (await process.stdout.readline()).decode()):
                assert line, told
        process.stdin.write(b"quit\nquit\n")
        rest = (await process.stdout.read()).decode()
        assert await process.wait() == 0
    assert "Type go on for bird, with greedy" in rest
