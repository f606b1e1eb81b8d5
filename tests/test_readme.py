"""What the README says is true: its commands run, its program runs, its picture is real."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

HOUSE = Path(__file__).parent.parent
README = (HOUSE / "README.md").read_text("utf-8")
PAGES = ["README.md", "CONTRIBUTING.md", *(f"docs/{page.name}" for page in HOUSE.glob("docs/*.md"))]
COMMANDS = [
    command
    for row in re.findall(r"^\| (`qin .*?) \|", README, re.MULTILINE)
    for command in re.findall(r"`(.*?)`", row)
]


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a line of the README as a shell in a folder would."""
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    return subprocess.run(
        ["/bin/sh", "-c", command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a record and a board, for the commands that take a FILE."""
    made = tmp_path_factory.mktemp("readme")
    run("qin simulate --games 2 --seed 7 --out games", made)
    (made / "board.txt").write_text("R . .\n. Y .\n. . V\n", "ascii")
    return made


def test_the_table_lists_commands() -> None:
    assert len(COMMANDS) >= 5


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_of_the_table_runs(command: str, folder: Path) -> None:
    file = "board.txt" if "boards" in command else "games/000001.qin"
    line = command.replace("FILE", shlex.quote(file)).replace("--out games", "--out more")
    ran = run(line, folder)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout


def test_the_program_runs(folder: Path) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert "Outcome(" in ran.stdout


def test_the_picture_is_where_the_game_ends(folder: Path) -> None:
    ran = run("qin play --seed 7", folder)
    picture = re.findall(r"^(?: {4}a  b|[ 1]\d  [.VRYB~#]).*$", README, re.MULTILINE)
    assert len(picture) == 14
    for line in picture:
        assert line[:43].rstrip() in ran.stdout.splitlines()


def test_the_two_commands_are_at_the_top() -> None:
    block = README.split("```")[1]
    assert re.findall(r"^make (\w+)", block, re.MULTILINE) == ["play", "test"]
    makefile = (HOUSE / "Makefile").read_text("utf-8")
    for word in ("play", "test"):
        assert re.search(rf"^{word}:", makefile, re.MULTILINE)


@pytest.mark.parametrize("page", PAGES)
def test_links_between_pages_lead_somewhere(page: str) -> None:
    text = (HOUSE / page).read_text("utf-8")
    for link in re.findall(r"\]\(([^)#]+)\)", text):
        if not link.startswith("http"):
            assert ((HOUSE / page).parent / link).exists(), link
