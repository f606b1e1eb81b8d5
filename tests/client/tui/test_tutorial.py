"""The tutorial: each step can be solved, wrong placements are explained, and the keys are real."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from client.tui.terminals import Terminal, performing
from prompt_toolkit.output import ColorDepth
from qin.client.tui.stage import Stage
from qin.client.tui.theme import ASCII_GLYPHS, Theme
from qin.client.tui.tutorial import run_tutorial
from qin.client.tui.tutorial_course import ME, Attempt, Goal, Lesson, attempt, explain, solves
from qin.client.tui.tutorial_lessons import LESSONS
from qin.client.tui.tutorial_screen import TutorialScreen
from qin.engine import (
    Connected,
    Conquered,
    Expanded,
    Founded,
    Joined,
    Major,
    Placement,
    Position,
    Reason,
    Space,
)
from qin.engine.spaces import ACROSS, DOWN, spaces_of


def attempts(lesson: Lesson) -> list[Attempt]:
    """Every tile of the hand, every way round, on every two adjacent spaces of the board."""
    board = lesson.position.board
    spaces = board.grass | board.village_spaces | sum(board.starts)
    pairs = [
        (first, Space(first + step))
        for first in spaces_of(spaces)
        for step in (ACROSS, DOWN)
        if spaces >> (first + step) & 1
    ]
    return [
        attempt(lesson, Placement(one, first, other, second))
        for tile in dict.fromkeys(lesson.hand)
        for one, other in {(tile.first, tile.second), (tile.second, tile.first)}
        for first, second in pairs
    ]


def solutions(lesson: Lesson) -> list[Attempt]:
    return [tried for tried in attempts(lesson) if solves(lesson.goal, tried)]


def mistakes(lesson: Lesson) -> list[Attempt]:
    return [tried for tried in attempts(lesson) if not solves(lesson.goal, tried)]


each_lesson = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.title)


@each_lesson
def test_each_step_can_be_solved(lesson: Lesson) -> None:
    solved = solutions(lesson)
    assert solved
    for tried in solved:
        laid = isinstance(tried.after, Position)
        assert laid == (lesson.goal.refused is None)


@each_lesson
def test_wrong_placements_are_explained(lesson: Lesson) -> None:
    wrong = mistakes(lesson)
    assert wrong
    for tried in wrong:
        told = explain(lesson, tried)
        assert told.endswith(lesson.hint)
        if tried.refused is not None:
            assert tried.refused.reason.value in told
        elif lesson.goal.refused is not None:
            assert told.startswith("That is allowed. ")


def test_the_course_teaches_everything() -> None:
    assert len(LESSONS) == 12
    taught = {deed for lesson in LESSONS for deed in lesson.goal.deeds}
    assert taught == {Founded, Expanded, Major, Joined, Connected, Conquered}
    refused = {lesson.goal.refused for lesson in LESSONS} - {None}
    assert refused == {Reason.TIED_JOIN, Reason.JOINS_MAJORS}
    assert LESSONS[-1].goal == Goal(ends=True)
    for tried in solutions(LESSONS[-1]):
        assert tried.after is not None
        assert tried.after.finisher == ME


def test_a_gift_to_the_rival_is_a_mistake() -> None:
    lesson = next(each for each in LESSONS if each.title == "Mind the other half")
    told = explain(lesson, attempt(lesson, Placement.parse("Rc4Yd4")))
    assert told.startswith("Founds red: 1 pagoda; gives rival a major yellow: 1 pagoda. ")
    expand = next(each for each in LESSONS if each.title == "Expand")
    told = explain(expand, attempt(expand, Placement.parse("Bd5Bd6")))
    assert told.startswith("Gives rival 4 spaces of blue. A red half has to touch ")


@asynccontextmanager
async def taught(
    columns: int = 80, rows: int = 24, theme: Theme | None = None
) -> AsyncIterator[tuple[Terminal, asyncio.Event]]:
    left = asyncio.Event()

    async def play(stage: Stage) -> None:
        await run_tutorial(stage)
        left.set()

    async with performing(play, columns=columns, rows=rows, theme=theme) as terminal:
        await terminal.until("step 1 of 12")
        yield terminal, left


async def test_the_whole_course() -> None:
    async with taught() as (terminal, left):
        for number, lesson in enumerate(LESSONS, start=1):
            await terminal.until(f"step {number} of 12", lesson.title)
            wrong = next(tried for tried in mistakes(lesson) if tried.effect or number == 1)
            terminal.press(":")
            terminal.type(str(wrong.placement))
            await terminal.until(lesson.hint.split()[-1])
            assert "next step" not in terminal.text
            terminal.press(":")
            terminal.type(str(solutions(lesson)[0].placement))
            await terminal.until("Enter: ")
            terminal.press("enter")
        await asyncio.wait_for(left.wait(), 10)


async def test_the_keys_are_those_of_a_table() -> None:
    async with taught() as (terminal, left):
        terminal.press("n")
        await terminal.until("Found a province", "nothing happens")
        terminal.press("enter")
        await terminal.until("Nothing happens. Red has to touch red")
        terminal.press("2", "r", "left", "l", "?")
        await terminal.until("hint 1 of")
        terminal.press("enter")
        await terminal.until("You founded a province", "you ⌂23")
        terminal.press("\x7f")
        await terminal.until("step 1 of 12")
        terminal.press("enter")
        await terminal.until("The tile lies.")
        terminal.press("f1")
        await terminal.until("choose a tile", "Shift-Tab")
        terminal.press("q")
        await terminal.until("The tile lies.")
        terminal.press("'", "p", ":")
        terminal.type("resign")
        terminal.press("q")
        await asyncio.wait_for(left.wait(), 10)


async def test_the_mouse_lays_a_tile() -> None:
    async with taught() as (terminal, _):
        column, row = terminal.find("+")
        terminal.click(column, row)
        await terminal.until(lambda: "+" not in terminal.lines[row][column])
        terminal.click(column, row)
        await terminal.until("The tile lies.")


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (64, 18), (120, 40)])
async def test_every_text_is_in_sight_whole(columns: int, rows: int) -> None:
    async with taught(columns, rows) as (terminal, _):
        for number, lesson in enumerate(LESSONS, start=1):
            await terminal.until(f"step {number} of 12")
            said = " ".join(terminal.text.split())
            for word in (*lesson.text.split(), *lesson.keys.split()):
                assert word in said, f"{word} of step {number}\n{terminal.text}"
            assert "Pagodas left" in said
            terminal.press(":")
            terminal.type(str(solutions(lesson)[0].placement))
            await terminal.until("Enter: ")
            assert lesson.done.split()[-1] in terminal.text
            terminal.press("enter")


async def test_in_ascii_without_colours() -> None:
    theme = Theme(depth=ColorDepth.DEPTH_1_BIT, glyphs=ASCII_GLYPHS)
    async with taught(theme=theme) as (terminal, _):
        assert terminal.text.isascii()


async def test_a_lesson_does_not_begin_solved() -> None:
    async def play(stage: Stage) -> None:
        screen = TutorialScreen(stage, LESSONS)
        for number, lesson in enumerate(LESSONS):
            screen.go(number)
            assert screen.model.held is not None
            tried = attempt(lesson, screen.model.held.placement)
            assert number == 0 or not solves(lesson.goal, tried), lesson.title

    async with performing(play):
        pass
