"""The replay of a record, key by key on an emulated terminal."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import pytest
from client.tui.terminals import Terminal, performing
from prompt_toolkit.output import ColorDepth
from qin.client.tui.replay_model import SPEEDS, ReplayModel, Step
from qin.client.tui.replay_screen import ReplayScreen
from qin.client.tui.stage import Stage
from qin.client.tui.theme import ASCII_GLYPHS, Theme
from qin.engine import Board, Connected, Conquered, Deal, Game, parse_record

HOME, END = "\x1b[H", "\x1b[F"
GOLDEN = Path(__file__).parents[2] / "conformance" / "records" / "01-bird-2-last-pagoda.qin"


@pytest.fixture
def model() -> ReplayModel:
    record = parse_record(GOLDEN.read_text("utf-8"))
    steps = [Step(game, events) for game, events in record.replay()]
    return ReplayModel(record.seats, record.board.name, steps)


@asynccontextmanager
async def shown(
    model: ReplayModel, columns: int = 80, rows: int = 24, theme: Theme | None = None
) -> AsyncIterator[Terminal]:
    """A replay on a terminal; it has to be left with a key within the context."""
    left = asyncio.Event()

    async def play(stage: Stage) -> None:
        await stage.show(ReplayScreen(stage, model))
        left.set()

    async with performing(play, columns=columns, rows=rows, theme=theme) as terminal:
        await terminal.until("replay")
        yield terminal
        await asyncio.wait_for(left.wait(), 10)


async def test_steps_and_jumps(model: ReplayModel) -> None:
    async with shown(model) as terminal:
        await terminal.until("move 0 of 64")
        for keys, move in (
            (["right"], 1),
            (["l", " "], 3),
            (["h"], 2),
            (["left", "left", "left"], 0),
            (["down"], 2),
            (["pagedown", "pagedown"], 22),
            (["up"], 20),
            (["pageup"], 10),
            ([END], 64),
            (["right"], 64),
            ([HOME], 0),
            (["g", "40", "enter"], 40),
            (["g", "escape"], 40),
            (["g", "99", "enter"], 40),
        ):
            terminal.press(*keys)
            await terminal.until(f"move {move} of 64")
        await terminal.until("'99' is not a move here; they go from 0 to 64")
        terminal.press("q")


async def test_the_events_of_a_move_hands_and_piles_are_in_sight(model: ReplayModel) -> None:
    async with shown(model) as terminal:
        terminal.press("g", "23", "enter")
        await terminal.until("move 23 of 64")
        text = terminal.text
        assert "ann places Bc11Yd11" in text
        assert "ann founds a yellow province at d11 e11: 1 pagoda" in text
        assert "ann draws RR from pile 2" in text
        assert "(B)Y⌂1" in text  # the new tile, half of it under a pagoda
        assert "1 ann       ⌂16   RR BB RR" in text
        assert "▸ 2 bob       ⌂16   RY RB RR" in text
        assert "2:  8  RY RR RR RR RB BB RY YY" in text
        assert "bob is to move." in text
        terminal.press(END)
        await terminal.until("A last pagoda is placed: bob wins.")
        text = terminal.text
        assert "* 2 bob       ⌂0    YB YY" in text
        terminal.press("q")


async def test_it_plays_by_itself_to_the_end_and_again_from_the_start(model: ReplayModel) -> None:
    model.go(60)
    async with shown(model, 120, 40) as terminal:
        terminal.press("p", *["+"] * len(SPEEDS))
        await terminal.until("playing, 16 a second")
        await terminal.until("paused (16 a second)")
        text = terminal.text
        assert "move 64 of 64" in text
        terminal.press("enter")
        await terminal.until("move 2 of 64")
        terminal.press("h", "-")
        await terminal.until("paused (8 a second)")
        terminal.press("q")


async def test_the_mouse_steps_and_jumps(model: ReplayModel) -> None:
    async with shown(model) as terminal:
        await terminal.until("move 0 of 64")
        terminal.wheel(10, 5)
        await terminal.until("move 1 of 64")
        _, row = terminal.find("paused")
        terminal.click(terminal.lines[row].rindex("-"), row)
        await terminal.until("move 64 of 64")
        terminal.press("q")


async def test_help_and_back(model: ReplayModel) -> None:
    async with shown(model) as terminal:
        terminal.press("f1")
        await terminal.until("Qin: the replay")
        terminal.press("q")
        await terminal.until("move 0 of 64")
        terminal.press("q")


async def test_without_colours_and_in_ascii(model: ReplayModel) -> None:
    theme = Theme(depth=ColorDepth.DEPTH_1_BIT, glyphs=ASCII_GLYPHS)
    async with shown(model, theme=theme) as terminal:
        terminal.press(END)
        await terminal.until("move 64 of 64")
        text = terminal.text
        assert text.isascii()
        cells = [cell for line in terminal.screen.buffer.values() for cell in line.values()]
        assert {(cell.fg, cell.bg) for cell in cells} == {("default", "default")}
        terminal.press("q")


def test_what_changed_is_marked(model: ReplayModel) -> None:
    for at, step in enumerate(model.steps):
        model.go(at)
        marks = model.marks()
        taken = [each for each in step.events if isinstance(each, Connected | Conquered)]
        assert bool(marks.lit) == bool(taken)
        assert marks.last.bit_count() == (2 if at else 0)


async def test_a_board_that_does_not_fit_follows_the_moves() -> None:
    rows = ["." * 26 for _ in range(26)]
    rows[12] = "." * 24 + "R."
    game = Game.start(Board("wide", tuple(rows)), Deal.shuffled(2, Random(1)))
    steps = [Step(game, [])]
    for _ in range(2):
        game, events = game.place(game.legal[-1])
        steps.append(Step(game, events))
    async with shown(ReplayModel(("ann", "bob"), "wide", steps)) as terminal:
        terminal.press(END)
        await terminal.until("move 2 of 2", "(", " z")
        terminal.press("q")
