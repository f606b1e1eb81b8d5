"""Text that is cut and wrapped by columns."""

from __future__ import annotations

import pytest
from prompt_toolkit.utils import get_cwidth
from qin.client.tui.fragments import (
    Line,
    at_most,
    cut,
    keys_that_fit,
    padded,
    width_of,
    wrapped,
)


@pytest.mark.parametrize("text", ["", "short", "a longer text", "世界世界世界", "x" * 50])
@pytest.mark.parametrize("width", [0, 1, 2, 5, 10, 80])
def test_nothing_is_wider_than_it_may_be(text: str, width: int) -> None:
    assert get_cwidth(cut(text, width)) <= width
    assert get_cwidth(padded(text, width)) == width
    if width >= 5:
        assert all(get_cwidth(line) <= width for line in wrapped(text, width, "  "))


def test_lines_break_at_blanks_and_nothing_is_lost() -> None:
    assert wrapped("one two three", 7) == ["one two", "three"]
    assert wrapped("one two three", 9, "  ") == ["one two", "  three"]
    assert wrapped("", 10) == [""]
    text = "abcdefghij klm"
    assert "".join(line.strip() for line in wrapped(text, 4, " ")) == text.replace(" ", "")


def test_an_ellipsis_tells_that_lines_are_missing() -> None:
    lines: list[Line] = [[("", "one")], [("", " "), ("", "two")], [("", "three")]]
    assert at_most(lines, 3, 10) == lines
    assert at_most(lines, 2, 10) == [[("", "one")], [("", " "), ("", "two …")]]
    assert width_of(at_most(lines, 2, 4)[-1]) == 4


def test_the_last_keys_stay_where_there_is_no_room_for_all() -> None:
    keys, last = [("Enter", "place"), ("r", "turn")], [("q", "leave")]
    for width, told in ((80, " Enter place  r turn  q leave"), (25, " Enter place  q leave")):
        assert "".join(part[1] for part in keys_that_fit(keys, last, width)) == told
    assert "".join(part[1] for part in keys_that_fit(keys, last, 5)) == " q leave"
