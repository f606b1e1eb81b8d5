"""The control that shows a board: it takes the room that it gets, scrolls, and hears the mouse."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from prompt_toolkit.data_structures import Point
from prompt_toolkit.layout.controls import UIContent, UIControl
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType
from qin.client.tui.board_view import Marks, draw_board
from qin.client.tui.scale import Cut, cut_for
from qin.client.tui.theme import Theme
from qin.engine import Position, Space

if TYPE_CHECKING:
    # Exists for type checkers alone.
    from prompt_toolkit.key_binding.key_bindings import NotImplementedOrNone


class Picture(NamedTuple):
    """What a board control is to show."""

    position: Position
    marks: Marks


class BoardControl(UIControl):
    """Pulls its picture whenever the screen is drawn."""

    def __init__(
        self,
        theme: Theme,
        pull: Callable[[], Picture | None],
        *,
        clicked: Callable[[Space], None] = lambda _: None,
        wheeled: Callable[[int], None] = lambda _: None,
    ) -> None:
        self._theme = theme
        self._pull = pull
        self._clicked = clicked
        self._wheeled = wheeled
        self._cut: Cut | None = None

    def is_focusable(self) -> bool:
        return True

    def create_content(self, width: int, height: int) -> UIContent:
        picture = self._pull()
        if picture is None:
            return UIContent()
        position, marks = picture
        cut = cut_for(position.board, width, height, marks.cursor, self._cut)
        self._cut = cut
        lines = draw_board(position, self._theme.glyphs, cut, marks)
        # Screen readers follow the terminal's cursor, so it stands where the tile is.
        place = cut.place_of(marks.cursor) if marks.cursor is not None else None
        return UIContent(
            get_line=lambda number: lines[number],
            line_count=len(lines),
            cursor_position=Point(*place) if place else Point(0, 0),
            show_cursor=place is not None,
        )

    def mouse_handler(self, mouse_event: MouseEvent) -> NotImplementedOrNone:
        match mouse_event.event_type:
            case MouseEventType.SCROLL_DOWN:
                self._wheeled(1)
            case MouseEventType.SCROLL_UP:
                self._wheeled(-1)
            case MouseEventType.MOUSE_UP:
                position = mouse_event.position
                space = self._cut.space_under(position.x, position.y) if self._cut else None
                if space is None:
                    return NotImplemented
                self._clicked(space)
            case _:
                return NotImplemented
        return None
