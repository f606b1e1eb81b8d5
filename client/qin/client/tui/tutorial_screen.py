"""The course on the full screen: a table of its own, so that the keys learned are the real ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from prompt_toolkit.filters import Condition
from prompt_toolkit.layout import ConditionalContainer, HSplit, VSplit, Window
from qin.client.client import Client
from qin.client.table import Table, Update
from qin.client.tui.board_control import Picture
from qin.client.tui.board_view import Marks
from qin.client.tui.fragments import Line, keys_line, keys_that_fit, padded, text_window, wrapped
from qin.client.tui.panel_view import hand
from qin.client.tui.stage import Stage
from qin.client.tui.table_acts import TableActs
from qin.client.tui.table_model import Message
from qin.client.tui.table_screen import TableScreen
from qin.client.tui.tutorial_course import (
    Attempt,
    Goal,
    Lesson,
    attempt,
    explain,
    solves,
    state_of,
    tell_attempt,
)
from qin.engine import Connected, Conquered, Placement

_NO_CLIENT, _NO_TABLE = cast("Client", None), cast("Table", None)
"""Whatever would ask them is replaced below."""
_STEPS = 50
"""More than any lesson has spots that solve it, one after the other."""
_TEXT_HEIGHT = 15
"""So many lines a lesson takes beside the board; with less it is told below."""


class TutorialActs(TableActs):
    """Acts at a table that is only painted: there is no server to ask."""

    def __init__(self, screen: TutorialScreen) -> None:
        super().__init__(_NO_CLIENT, _NO_TABLE, screen.model, screen.act)
        self._screen = screen

    def place(self) -> None:
        self._screen.enter()

    def place_typed(self, placement: Placement, pile: int) -> None:
        del pile
        self._screen.attempt(placement)

    def next_pile(self) -> None:
        self._model.message = Message("at a table, p chooses the pile that you draw from")

    def say(self, text: str) -> None:
        del text
        self._decline()

    def resign(self) -> None:
        self._decline()

    def rematch(self) -> None:
        self._decline()

    def save(self, path: str = "") -> None:
        del path
        self._decline()

    def _decline(self) -> None:
        self._model.message = Message("that is for a table with others; q leaves the tutorial")


class TutorialScreen(TableScreen):
    """Left after the last lesson, or when the learner has had enough."""

    def __init__(self, stage: Stage, lessons: Sequence[Lesson]) -> None:
        super().__init__(stage, _NO_CLIENT, _NO_TABLE)
        self._lessons = lessons
        self.at = 0
        self._sequence = 0
        self.solved: Attempt | None = None
        self._wrong = ""
        typing = Condition(lambda: self.line.is_open)
        self.container = HSplit(
            [
                text_window(self.theme, self._title, height=1),
                VSplit(
                    [self.focus, Window(width=1), text_window(self.theme, self._panel)],
                    height=lambda: self._board_size()[1],
                ),
                text_window(self.theme, self._status, height=self._status_height),
                text_window(self.theme, self._words),
                self.line.container,
                ConditionalContainer(text_window(self.theme, self._keys, height=1), ~typing),
            ]
        )
        self.keys.add("n")(lambda _: self.go(self.at + 1))
        self.keys.add("backspace")(lambda _: self.go(self.at - 1))
        self._open()

    def make_acts(self, client: Client, table: Table) -> TableActs:
        del client, table
        return TutorialActs(self)

    @property
    def lesson(self) -> Lesson:
        return self._lessons[self.at]

    async def work(self) -> None:
        """There is no server to hear of."""

    # ---- going through the course --------------------------------------------------------------

    def go(self, at: int) -> None:
        """To another lesson; past the last one the course is over."""
        if at >= len(self._lessons):
            self.leave(None)
            return
        self.at = max(0, at)
        self._open()

    def _open(self) -> None:
        self.solved, self._wrong = None, ""
        model = self.model
        model.state, model.held, model.message, model.choice = None, None, None, 0
        self._show()
        if self.lesson.goal != Goal():
            self._unsolve()

    def _unsolve(self) -> None:
        """A tile that is held right already would teach nothing."""
        for _ in range(_STEPS):
            held = self.model.held
            if held is None or not solves(self.lesson.goal, attempt(self.lesson, held.placement)):
                return
            self.model.step(1)

    def _show(self) -> None:
        self._sequence += 1
        state = state_of(self.lesson, self._sequence, after=self.solved)
        self.model.take(Update((), state))

    def enter(self) -> None:
        """Try the held tile; after a lesson is solved, go on."""
        if self.solved is not None:
            self.go(self.at + 1)
        elif self.model.held is not None:
            self.attempt(self.model.held.placement)

    def attempt(self, placement: Placement) -> None:
        if self.solved is not None:
            return
        tried = attempt(self.lesson, placement)
        self.model.message = None
        if solves(self.lesson.goal, tried):
            self.solved, self._wrong = tried, ""
            self._show()
        else:
            self._wrong = explain(self.lesson, tried)

    # ---- what is drawn -------------------------------------------------------------------------

    def _picture(self) -> Picture | None:
        picture = super()._picture()
        if picture is None or self.solved is None:
            return picture
        first, second = self.solved.placement.first, self.solved.placement.second
        events = self.solved.effect.events if self.solved.effect else []
        taken = 0
        for event in events:
            if isinstance(event, Connected | Conquered):
                taken |= event.village
        laid = 1 << first | 1 << second if self.solved.effect else 0
        marks = Marks(last=laid, lit=taken, refused=self.solved.spaces)
        return Picture(picture.position, marks)

    def _title(self) -> list[Line]:
        right = f"step {self.at + 1} of {len(self._lessons)} "
        left = padded(" Qin   the tutorial", self._width - len(right))
        return [[("class:title", left), ("class:title class:title.strong", right)]]

    @property
    def _text_beside(self) -> bool:
        return self._board_size()[1] >= _TEXT_HEIGHT

    def _panel(self) -> list[Line]:
        glyphs = self.theme.glyphs
        lines: list[Line] = [[("class:heading", self.lesson.title)]]
        if self._text_beside:
            lines += self._text(self._width - self._board_size()[0] - 2)
        lines += [[], *hand(self.model, glyphs, self.model.choose)]
        if self.model.view is not None:
            mine, others = self.model.view.position.reserves
            line: Line = [("class:faint", "Pagodas left: "), ("class:seat class:seat1", "1")]
            line += [("", f" you {glyphs.pagoda}{mine}   "), ("class:seat class:seat2", "2")]
            lines.append([*line, ("", f" rival {glyphs.pagoda}{others}")])
        return lines

    def _text(self, room: int) -> list[Line]:
        lines: list[Line] = [[("", line)] for line in wrapped(self.lesson.text, room)]
        if self.lesson.keys:
            lines += [[("class:said", line)] for line in wrapped(self.lesson.keys, room)]
        return lines

    def _status(self) -> list[Line]:
        return [] if self.solved is not None else super()._status()

    def _words(self) -> list[Line]:
        """What became of the attempt."""
        width = self._width - 2
        if self.solved is not None:
            told = wrapped(f"{tell_attempt(self.solved)} {self.lesson.done}", width)
            lines: list[Line] = [[("class:good", f" {line}")] for line in told]
            last = self.at == len(self._lessons) - 1
            onward = "Enter: back to the lobby" if last else "Enter: the next step"
            return [*lines, [("class:heading", f" {onward}")]]
        if self._wrong:
            return [[("class:bad", f" {line}")] for line in wrapped(self._wrong, width)]
        return [] if self._text_beside else [[("", " "), *line] for line in self._text(width)]

    def _keys(self) -> list[Line]:
        if self.solved is not None:
            return [keys_line([("Enter", "next"), ("Backspace", "back"), ("q", "leave")])]
        pairs = [("Enter", "place"), ("1-3", "tile"), ("arrows", "move"), ("r", "turn")]
        pairs += [("Tab", "spots"), ("?", "hint")]
        return [keys_that_fit(pairs, [("n", "skip"), ("q", "leave")], self._width)]
