"""Small things to write a screen with: text with styles that is cut, padded and wrapped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.layout import FormattedTextControl, Window
from prompt_toolkit.layout.dimension import AnyDimension
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType
from prompt_toolkit.utils import get_cwidth
from qin.client.tui.theme import Theme

Line = StyleAndTextTuples
Clicked = Callable[[MouseEvent], None]


def cut(text: str, width: int) -> str:
    """At most so many columns; an ellipsis where something is missing."""
    if get_cwidth(text) <= width:
        return text
    while text and get_cwidth(text) > width - 1:
        text = text[:-1]
    return text + "…" if width > 0 else ""


def padded(text: str, width: int) -> str:
    """Exactly so many columns."""
    text = cut(text, width)
    return text + " " * (width - get_cwidth(text))


def width_of(line: Line) -> int:
    return sum(get_cwidth(fragment[1]) for fragment in line)


def at_most(lines: Sequence[Line], number: int, width: int) -> list[Line]:
    """The first of the lines; an ellipsis where some are missing."""
    kept = [list(line) for line in lines[:number]]
    if len(lines) > number > 0:
        room = width - width_of(kept[-1][:-1])
        style, text = kept[-1][-1][:2]
        kept[-1][-1] = style, cut(f"{text} …", room)
    return kept


def wrapped(text: str, width: int, indent: str = "") -> list[str]:
    """Lines of at most so many columns, broken at blanks where there are any."""
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        rest = word
        longer = f"{line} {rest}" if line else rest
        if get_cwidth(longer) <= width:
            line = longer
            continue
        if line.strip():
            lines.append(line)
        rest = indent + rest
        while get_cwidth(rest) > width:
            head = rest
            while get_cwidth(head) > width:
                head = head[:-1]
            lines.append(head)
            rest = indent + rest[len(head) :]
            if len(indent) >= width or not head.strip():
                break
        line = rest
    return [*lines, line]


def joined(lines: Sequence[Line]) -> StyleAndTextTuples:
    """Lines as one text."""
    text: StyleAndTextTuples = []
    for number, line in enumerate(lines):
        if number:
            text.append(("", "\n"))
        text.extend(line)
    return text


def keys_line(pairs: Iterable[tuple[str, str]]) -> Line:
    """`Enter place  r turn`, with the keys to be seen as keys."""
    line: Line = []
    for key, what in pairs:
        line += [("", "  " if line else " "), ("class:key", key), ("", f" {what}")]
    return line


def keys_that_fit(
    pairs: Sequence[tuple[str, str]], last: Sequence[tuple[str, str]], width: int
) -> Line:
    """As many keys as fit, from the first one on; the last ones always stay."""
    for number in range(len(pairs), 0, -1):
        line = keys_line([*pairs[:number], *last])
        if width_of(line) <= width:
            return line
    return keys_line(last)


def on_click(act: Callable[[], None]) -> Clicked:
    """For a fragment: do something when it is clicked."""

    def clicked(event: MouseEvent) -> None:
        if event.event_type is MouseEventType.MOUSE_UP:
            act()

    return clicked


def text_window(
    theme: Theme,
    pull: Callable[[], Sequence[Line]],
    *,
    height: AnyDimension = None,
    width: AnyDimension = None,
    style: str = "",
    focusable: bool = False,
) -> Window:
    """A window whose lines are pulled whenever it is drawn."""
    control = FormattedTextControl(
        lambda: theme.shown(joined(pull())), focusable=focusable, show_cursor=False
    )
    return Window(control, height=height, width=width, style=style, always_hide_cursor=True)
