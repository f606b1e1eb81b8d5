"""The course line by line."""

from __future__ import annotations

from qin.client.plain.board_words import board_rows
from qin.client.plain.console import Console
from qin.client.plain.looking import Looking
from qin.client.plain.table_words import hand_in_words, sentence
from qin.client.table import Update
from qin.client.table_words import tell_problem
from qin.client.tui.table_model import TableModel
from qin.client.tui.tutorial_course import Lesson, attempt, explain, solves, state_of, tell_attempt
from qin.client.tui.tutorial_lessons import LESSONS
from qin.engine import ParseError, Placement, QinError

_HELP = "Type a placement such as Rc4Yd4: red on c4, yellow on d4."
_MORE = "Or type board, around c4, hint, next to skip this step, back, or quit."


async def teach_plain(console: Console) -> None:
    """All lessons in turn, until the learner has had enough."""
    console.tell("This is the tutorial. You are seat 1, your rival is seat 2.", _HELP, _MORE)
    at = 0
    while at < len(LESSONS):
        step = await _teach(console, LESSONS[at], f"Step {at + 1} of {len(LESSONS)}")
        if step is None:
            return
        at = max(0, at + step)
    console.tell("That was the last step. Type new for your first game.")


async def _teach(console: Console, lesson: Lesson, where: str) -> int | None:
    """One lesson; tells how many to go on by, or None to leave."""
    model = TableModel()
    model.take(Update((), state_of(lesson, 1)))
    looking = Looking(model)
    console.tell(f"{where}: {lesson.title}.", lesson.text)
    console.tell_all(board_rows(lesson.position)[:-2])
    console.tell(hand_in_words(lesson.hand))
    while True:
        line = await console.ask()
        if line is None:
            return None
        word, _, rest = line.strip().partition(" ")
        word = word.lower()
        if word in ("quit", "q"):
            return None
        if word in ("next", "back"):
            return 1 if word == "next" else -1
        try:
            if word in ("", "help"):
                console.tell(lesson.text, _HELP, _MORE)
            elif word in looking.commands:
                console.tell_all(list(looking.commands[word][0](rest.strip())))
            elif _tried(console, lesson, _placement(word, rest, looking)):
                return 1
        except QinError as problem:
            console.tell(sentence(tell_problem(problem)))


def _placement(word: str, rest: str, looking: Looking) -> Placement:
    if word == "place":
        return looking.placement(rest) if rest.isdecimal() else Placement.parse(rest)
    try:
        return Placement.parse(word)
    except ParseError as problem:
        raise ParseError(f"{problem}; help tells what you can type") from None


def _tried(console: Console, lesson: Lesson, placement: Placement) -> bool:
    tried = attempt(lesson, placement)
    if not solves(lesson.goal, tried):
        console.tell(explain(lesson, tried))
        return False
    console.tell(f"{tell_attempt(tried)} {lesson.done}")
    return True
