"""The page about a tournament, looked at in a real browser."""

from __future__ import annotations

import csv
import re
import subprocess
from pathlib import Path
from random import Random

from bots.tournament.made import by_chance, played, settings
from needs import needs
from qin.bots.tournament.ledger import Ledger
from qin.bots.tournament.report import write_report
from qin.bots.tournament.settings import Sprt

CHROMIUM = (
    "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
NASTY = "<script>document.title='pwned'</script>"


def ledger() -> Ledger:
    made = settings("greedy", "random", "lookahead", "random", players=3, games=60, name=NASTY)
    return played(made, by_chance(Random(2), lambda _: 1.0))


@needs("chromium")
def test_a_browser_shows_the_tables_and_the_plots(tmp_path: Path) -> None:
    page, *_ = write_report(tmp_path, ledger())
    shown = _browsed(tmp_path, "--dump-dom", page.as_uri())
    for bot in ("greedy", "random", "lookahead", "random-2"):
        assert f'<td class="word">{bot}</td>' in shown
    for heading in ("Standings", "One against another", "Seats, boards, endings", "Bots"):
        assert f"<h2>{heading}</h2>" in shown
    assert shown.count("<svg ") == 4
    assert len(re.findall(r"<circle ", shown)) == 4 + 4 + 6
    assert "<title>Qin: &lt;script&gt;" in shown, "a name is text, never markup"


def test_a_bot_has_the_same_colour_in_every_plot(tmp_path: Path) -> None:
    made = settings("random", "greedy", "lookahead", games=60)
    strength = {"random": 1.0, "greedy": 30.0, "lookahead": 5.0}
    page, *_ = write_report(tmp_path, played(made, by_chance(Random(2), strength.__getitem__)))
    plots = re.findall(r"<figure>.*?</figure>", page.read_text("utf-8"))
    colours = [re.findall(r'(?:<circle|<polyline)[^>]*(#[0-9a-f]{6})"', plot) for plot in plots]
    labels = [re.findall(r"<text[^>]*>([a-z]+)(?: – [a-z]+)?</text>", plot) for plot in plots]
    worn = {pair for plot in zip(labels, colours, strict=True) for pair in zip(*plot, strict=False)}
    assert len(plots) == 4
    assert len(worn) == len(strength), worn


@needs("chromium")
def test_it_is_painted(tmp_path: Path) -> None:
    page, *_ = write_report(tmp_path, ledger())
    picture = tmp_path / "page.png"
    _browsed(tmp_path, f"--screenshot={picture}", "--window-size=1000,1600", page.as_uri())
    empty = tmp_path / "empty.html"
    empty.write_text("<!doctype html><title>empty</title>")
    blank = tmp_path / "blank.png"
    _browsed(tmp_path, f"--screenshot={blank}", "--window-size=1000,1600", empty.as_uri())
    assert picture.stat().st_size > 5 * blank.stat().st_size


def _browsed(folder: Path, *arguments: str) -> str:
    profile = folder / f"profile-{len(list(folder.iterdir()))}"
    return subprocess.run(
        [*CHROMIUM, f"--user-data-dir={profile}", *arguments],
        capture_output=True,
        text=True,
        check=True,
        timeout=100,
    ).stdout


def test_the_page_needs_nothing_else(tmp_path: Path) -> None:
    page, *_ = write_report(tmp_path, ledger())
    text = page.read_text("utf-8")
    assert not re.search(r"https?:|src=|href=|@import|url\(|<script|<link", text)


def test_tables_for_spreadsheets(tmp_path: Path) -> None:
    _, standings, pairs = write_report(tmp_path, ledger())
    rows = _rows(standings)
    assert {row["bot"] for row in rows} == {"greedy", "random", "lookahead", "random-2"}
    assert sum(float(row["points"]) for row in rows) == 60
    assert sum(int(row["games"]) for row in rows) == 3 * 60
    assert len(_rows(pairs)) == 12


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_a_sequential_test_is_told(tmp_path: Path) -> None:
    made = settings("greedy", "random", games=200, sprt=Sprt(0, 50))
    page, *_ = write_report(tmp_path, played(made, lambda names: (names.index("greedy"),)))
    assert "elo1 is accepted" in page.read_text("utf-8")
