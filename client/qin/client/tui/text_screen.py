"""A page of text: help, and whatever else is only to be read."""

from __future__ import annotations

from collections.abc import Sequence

from prompt_toolkit.key_binding import KeyPressEvent
from prompt_toolkit.layout import HSplit
from qin.client.tui.fragments import Line, keys_line, padded, text_window, wrapped
from qin.client.tui.stage import Screen, Stage


class TextScreen(Screen[None]):
    """Shows pairs of a key and what it does; a pair without a key is a paragraph."""

    def __init__(self, stage: Stage, title: str, pairs: Sequence[tuple[str, str]]) -> None:
        super().__init__(stage)
        self._title = title
        self._pairs = pairs
        self._top = 0
        self.focus = text_window(self.theme, self._page, focusable=True)
        self.container = HSplit(
            [
                text_window(self.theme, self._head, height=1),
                self.focus,
                text_window(self.theme, self._foot, height=1),
            ]
        )
        for key in ("escape", "q", "enter", "f1", "?"):
            self.keys.add(key, eager=True)(lambda _: self.leave(None))
        for keys, lines in ((("down", "j"), 1), (("up", "k"), -1)):
            for key in keys:
                self.keys.add(key)(lambda _, lines=lines: self._scroll(lines))
        self.keys.add("pagedown")(self._page_down)
        self.keys.add("pageup")(self._page_up)

    def _page_down(self, _: KeyPressEvent) -> None:
        self._scroll(self.stage.size[1] - 4)

    def _page_up(self, _: KeyPressEvent) -> None:
        self._scroll(4 - self.stage.size[1])

    def _scroll(self, lines: int) -> None:
        last = max(0, len(self._lines()) - (self.stage.size[1] - 2))
        self._top = min(max(0, self._top + lines), last)

    def _head(self) -> list[Line]:
        return [[("class:title class:title.strong", padded(f" {self._title}", self.stage.size[0]))]]

    def _page(self) -> list[Line]:
        return self._lines()[self._top :]

    def _lines(self) -> list[Line]:
        width = self.stage.size[0]
        first = 2 + max((len(key) for key, _ in self._pairs if key), default=0)
        lines: list[Line] = [[]]
        for key, what in self._pairs:
            if not key:
                lines += [[("", f" {line}")] for line in wrapped(what, width - 2)]
                continue
            told = wrapped(what, width - first - 3)
            lines.append([("", " "), ("class:heading", padded(key, first)), ("", told[0])])
            lines += [[("", " " * (first + 1) + line)] for line in told[1:]]
        return lines

    def _foot(self) -> list[Line]:
        more = len(self._lines()) > self.stage.size[1] - 2
        return [keys_line([("Esc", "back"), *([("arrows", "scroll")] if more else [])])]
