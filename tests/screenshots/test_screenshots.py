"""`make screenshots` draws what the README shows."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from xml.etree import ElementTree as ET

from screenshots.make import PICTURES, make

README = (PICTURES.parents[1] / "README.md").read_text("utf-8")
SHOWN = {
    "lobby": ("New game", "Host", "bob's game", "k3v9x2"),
    "table": ("YOUR TURN", "ann (you)", "makes red major, takes the village at k10: 2 pagodas"),
    "tutorial": ("step 6 of 12", "Join", "joins red: 1 pagoda; rival takes 1 pagoda home"),
    "result": ("You win!", "rematch", "save record"),
}


def test_all_pictures_are_drawn(tmp_path: Path) -> None:
    asyncio.run(make(tmp_path))
    assert {path.stem for path in tmp_path.iterdir()} == set(SHOWN)
    for name, texts in SHOWN.items():
        path = tmp_path / f"{name}.svg"
        drawn = " ".join(ET.fromstring(path.read_text("utf-8")).itertext())  # noqa: S314 - ours
        told = " ".join(drawn.split())
        for text in texts:
            assert text in told, name
        assert path.stat().st_size < 60_000


def test_the_readme_shows_them() -> None:
    for name in SHOWN:
        assert (PICTURES / f"{name}.svg").is_file()
        assert re.search(rf"docs/pictures/{name}\.svg", README)
