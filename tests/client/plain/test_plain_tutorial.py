"""The tutorial, line by line."""

from __future__ import annotations

import asyncio

from client.plain.players import Typist
from client.tui.test_tutorial import mistakes, solutions
from qin.client.plain.tutorial import teach_plain
from qin.client.tui.tutorial_lessons import LESSONS


async def test_the_whole_course() -> None:
    ann = Typist()
    teaching = asyncio.create_task(teach_plain(ann))
    for number, lesson in enumerate(LESSONS, start=1):
        told = await ann.until(f"Step {number} of 12: {lesson.title}.\n{lesson.text}\n")
        assert number == 1 or "learn" not in told
        await ann.until("You hold ")
        await ann.enter(str(mistakes(lesson)[0].placement), lesson.hint)
        await ann.enter(str(solutions(lesson)[0].placement), lesson.done)
    await ann.until("Type new for your first game.")
    await teaching


async def test_one_may_look_ask_skip_go_back_and_leave() -> None:
    ann = Typist()
    teaching = asyncio.create_task(teach_plain(ann))
    await ann.enter("around d3", "Left, c3: free.")
    await ann.enter("next", "Step 2 of 12")
    await ann.enter("hint 1", "1 placement.")
    await ann.enter("place 1", "You founded a province")
    await ann.until("Step 3 of 12")
    await ann.enter("back", "Step 2 of 12")
    await ann.enter("dance", "help tells what you can type.")
    await ann.enter("help", "Or type board, around c4")
    ann.type("quit")
    await teaching
