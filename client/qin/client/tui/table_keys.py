"""What each key does at a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from prompt_toolkit.filters import Condition, FilterOrBool
from prompt_toolkit.key_binding import KeyPressEvent
from qin.client.tui.table_model import Phase

if TYPE_CHECKING:
    from qin.client.tui.table_screen import TableScreen

Act = Callable[[], object]

MOVES = {
    ("left", "h"): (-1, 0),
    ("right", "l"): (1, 0),
    ("up", "k"): (0, -1),
    ("down", "j"): (0, 1),
}


def bind(screen: TableScreen) -> None:
    """Give the screen its keys."""
    model = screen.model

    def add(*keys: str, act: Act, when: FilterOrBool = True) -> None:
        def handler(_: KeyPressEvent) -> None:
            act()

        for key in keys:
            screen.keys.add(key, filter=when)(handler)

    in_game = Condition(lambda: model.phase is Phase.GAME)
    in_room = Condition(lambda: model.phase is Phase.ROOM)
    is_over = Condition(lambda: model.phase is Phase.RESULT)
    owns_room = in_room & Condition(lambda: screen.owner)

    add(":", act=screen.ask_command)
    add("'", '"', act=screen.ask_chat)
    add("f1", act=screen.help)
    add("q", act=lambda: screen.leave(None))
    add("pageup", act=lambda: _scroll(screen, 1))
    add("pagedown", act=lambda: _scroll(screen, -1))

    for number in range(3):
        add(str(number + 1), act=lambda number=number: model.choose(number), when=in_game)  # type: ignore[misc]
    for keys, (right, down) in MOVES.items():
        add(*keys, act=lambda right=right, down=down: model.move(right, down), when=in_game)  # type: ignore[misc]
    add("r", " ", act=model.turn, when=in_game)
    add("R", act=lambda: model.turn(-1), when=in_game)
    add("enter", act=screen.acts.place, when=in_game)
    add("tab", act=lambda: model.step(1), when=in_game)
    add("s-tab", act=lambda: model.step(-1), when=in_game)
    add("?", act=model.hint, when=in_game)
    add("p", act=screen.acts.next_pile, when=in_game)

    add("up", "k", act=lambda: _choose_seat(screen, -1), when=owns_room)
    add("down", "j", act=lambda: _choose_seat(screen, 1), when=owns_room)
    add("b", act=screen.acts.add_bot, when=owns_room)
    add("x", act=screen.acts.free_seat, when=owns_room)
    add("s", "enter", act=screen.acts.start, when=owns_room)
    add("y", act=screen.copy_note, when=in_room)
    add("?", act=screen.help, when=~in_game)

    add("r", act=screen.acts.rematch, when=is_over)
    add("s", act=screen.acts.save, when=is_over)


def _scroll(screen: TableScreen, ways: int) -> None:
    screen.model.log_back = max(0, screen.model.log_back + 3 * ways)


def _choose_seat(screen: TableScreen, ways: int) -> None:
    state = screen.model.state
    if state is not None:
        screen.model.seat_cursor = (screen.model.seat_cursor + ways) % len(state.table.seats)
