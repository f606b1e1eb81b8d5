"""Every kind of fault in a record is told with its line and in words."""

from __future__ import annotations

import re

import pytest
from engine.golden.counting import FOLDER
from qin.engine import RecordError, parse_record
from qin.engine.record import REQUIRED_TAGS

TEXT = (FOLDER / "tight-3-shared.qin").read_text("utf-8")
LINES = TEXT.splitlines()
MOVES = LINES.index("") + 2
"""The line of the first round, counted from 1."""
LAST = len(LINES)


def line_of(tag: str) -> int:
    return next(n for n, line in enumerate(LINES, start=1) if line.startswith(f"[{tag} "))


def with_tag(tag: str, value: str) -> str:
    lines = list(LINES)
    lines[line_of(tag) - 1] = f'[{tag} "{value}"]'
    return "\n".join(lines) + "\n"


def with_move(number: int, old: str, new: str) -> str:
    """The record with another token in a line; the old one is found by a pattern."""
    lines = list(LINES)
    lines[number - 1], changes = re.subn(old, new, lines[number - 1], count=1)
    assert changes
    return "\n".join(lines) + "\n"


def value_of(tag: str) -> str:
    return LINES[line_of(tag) - 1].split('"')[1]


def fault(text: str) -> RecordError:
    with pytest.raises(RecordError) as caught:
        parse_record(text).check()
    error = caught.value
    assert str(error).startswith(f"line {error.line}: ") == bool(error.line)
    return error


def assert_fault(text: str, line: int, *words: str) -> None:
    error = fault(text)
    assert error.line == line, str(error)
    for word in words:
        assert word in str(error)


def test_the_record_itself_is_right() -> None:
    parse_record(TEXT).check()
    assert [line_of(tag) for tag in REQUIRED_TAGS] == list(range(1, 11))


# ---- the shape of the text ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        (" \n\n", 1),
        ("hello", 1),
        ("\n\nhello\n", 3),
        ('[Board "bird"]\n' + TEXT, 1),
        ("1 Rc4Yd4:1\n", 1),
        ("PK\x03\x04\x00", 1),
    ],
)
def test_what_is_no_record_at_all(text: str, line: int) -> None:
    assert_fault(text, line, "not a record")


@pytest.mark.parametrize("tag", REQUIRED_TAGS[1:])
def test_a_missing_tag(tag: str) -> None:
    lines = [line for line in LINES if not line.startswith(f"[{tag} ")]
    assert_fault("\n".join(lines), len(lines), f"there is no tag {tag}")


@pytest.mark.parametrize("tag", [*REQUIRED_TAGS, "Date"])
def test_a_tag_that_stands_twice(tag: str) -> None:
    added = [f'[{tag} "1"]'] * (1 if tag in REQUIRED_TAGS else 2)
    lines = [*LINES[:10], *added, *LINES[10:]]
    assert_fault("\n".join(lines), 10 + len(added), f"a second tag {tag}")


def test_a_tag_among_the_moves() -> None:
    assert_fault(TEXT + '[Date "today"]\n', LAST + 1, "a tag among the moves")


@pytest.mark.parametrize(
    "tag",
    ["[Date]", '[Date "x', "[Date 'x']", '[Date "a"b"]', '[Da te "x"]', '["x"]', '[Date "\\"]'],
)
def test_what_is_no_tag(tag: str) -> None:
    lines = [*LINES[:10], tag, *LINES[10:]]
    assert_fault("\n".join(lines), 11, "not a tag", "a tag reads")


@pytest.mark.parametrize("version", ["2", "0", "", "1.0", "one"])
def test_a_version_of_another_program(version: str) -> None:
    assert_fault(with_tag("Qin", version), 1, "version 1")


@pytest.mark.parametrize("number", ["0", "2", "01", "x", "1."])
def test_a_wrong_number_of_a_round(number: str) -> None:
    assert_fault(with_move(MOVES, "^1 ", f"{number} "), MOVES, "expected round 1", repr(number))


def test_a_round_that_is_left_out() -> None:
    lines = LINES[:MOVES] + LINES[MOVES + 1 :]
    assert_fault("\n".join(lines), MOVES + 1, "expected round 2, found '3'")


def test_an_empty_round() -> None:
    assert_fault(TEXT + f"{LAST - MOVES + 2}\n", LAST + 1, "is empty")


def test_no_moves() -> None:
    assert_fault("\n".join(LINES[:10]), 10, "no moves", "cut short")


# ---- the tags -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tag", "value", "words"),
    [
        ("Map", "", "empty"),
        ("Map", "..../..", "the row has 2 spaces"),
        ("Map", "...x", "'x' at column 4"),
        ("Map", "....", "without a start space"),
        ("Map", "R#..", "no room"),
        ("Map", "RR..", "touch"),
        ("Map", "R" + "." * 26, "at most 26 columns"),
        ("Map", "/".join(["R."] + [".."] * 26), "at most 26 rows"),
        ("Seats", "ann", "2 to 4 players"),
        ("Seats", "a/b/c/d/e", "2 to 4 players"),
        ("Seats", "", "2 to 4 players"),
        ("Seats", "ann//cho", "1 to 32 characters"),
        ("Seats", f"ann/bob/{'c' * 33}", "1 to 32 characters"),
        ("Seats", "ann/b\tob/cho", "control characters"),
        ("Seats", "ann/ bob/cho", "blanks"),
        ("Seats", "ann/bob/ann", "same name"),
        ("First", "0", "does not name seats"),
        ("First", "4", "does not name seats"),
        ("First", "", "does not name seats"),
        ("First", "first", "does not name seats"),
        ("First", "1/2", "only one seat"),
        ("Winners", "", "does not name seats"),
        ("Winners", "5", "does not name seats"),
        ("Winners", "3/2", "does not name seats"),
        ("Winners", "2/2", "does not name seats"),
        ("Reserves", "1/2", "what 3 seats have left"),
        ("Reserves", "1/2/3/4", "what 3 seats have left"),
        ("Reserves", "1/2/20", "what 3 seats have left"),
        ("Reserves", "1/2/-3", "what 3 seats have left"),
        ("Reserves", "1/2/x", "what 3 seats have left"),
        ("Reserves", "1/2/²", "what 3 seats have left"),
        ("Ending", "checkmate", "is not an ending; there are last-pagoda"),
        ("Ending", "", "is not an ending"),
        ("Hands", "", "dealt 3 tiles"),
        ("Hands", "RR RR/RR RR RR/RR RR RR", "dealt 3 tiles"),
        ("Hands", "RR RR RR/RR RR RR", "dealt 3 tiles"),
        ("Hands", "RR RR RG/RR RR RR/RR RR RR", "'RG' is not a tile"),
        ("Piles", "", "4 piles of 16 16 16 15"),
        ("Piles", "RR", "4 piles of 16 16 16 15"),
        ("Piles", "RR/XX", "'XX' is not a tile"),
    ],
)
def test_a_tag_with_a_wrong_value(tag: str, value: str, words: str) -> None:
    assert_fault(with_tag(tag, value), line_of(tag), tag, words)


def test_a_reserve_of_many_digits() -> None:
    error = fault(with_tag("Reserves", f"1/2/{'9' * 5000}"))
    assert error.line == line_of("Reserves")


def test_a_tile_too_many_of_a_kind() -> None:
    hands = value_of("Hands").split("/")
    other = "RR" if "RR" not in hands[0] else "YY"
    hands[0] = " ".join([other] * 3)
    assert_fault(with_tag("Hands", "/".join(hands)), line_of("Piles"), "the game has 12")


def test_a_deal_that_was_tampered_with() -> None:
    """Two tiles that changed places: the counts are right, but the moves do not fit."""
    hands, piles = value_of("Hands"), value_of("Piles")
    mover = int(value_of("First")) - 1
    hand = hands.split("/")[mover].split()
    laid = re.findall(r"[RYB](?=[a-z])", LINES[MOVES - 1].split()[1])
    tile = next(t for t in hand if sorted(t) == sorted(laid))
    other = next(t for t in piles.split("/")[3].split() if t not in hand)
    parts = hands.split("/")
    parts[mover] = parts[mover].replace(tile, other)
    swapped = piles.split("/")
    swapped[3] = swapped[3].replace(other, tile, parts[mover].count(other))
    changed = with_tag("Hands", "/".join(parts)).replace(piles, "/".join(swapped))
    if hand.count(tile) == 1:
        assert_fault(changed, MOVES, "not-in-hand")
    else:
        assert fault(changed).line >= MOVES


# ---- the moves ----------------------------------------------------------------------------------

TOKEN = r"(?<= )[RYB]\S+"  # noqa: S105 - a token of a record


@pytest.mark.parametrize(
    ("token", "words"),
    [
        ("hello", "not a placement"),
        ("Rc4", "not a placement"),
        ("Rc4Yd4:", "not a placement, pass, resign or forfeit"),
        ("Rc4Yd4:12", "not a placement, pass, resign or forfeit"),
        ("5=resign", "not a placement, pass, resign or forfeit"),
        ("0=forfeit", "not a placement, pass, resign or forfeit"),
        ("2=pass", "not a placement, pass, resign or forfeit"),
        ("Rc0Yd0:1", "rows are counted from 1"),
        ("pass", "must-place"),
        ("{", "not a placement"),
    ],
)
def test_a_move_that_is_none(token: str, words: str) -> None:
    assert_fault(with_move(MOVES + 1, TOKEN, token), MOVES + 1, token, words)


def test_a_pile_that_is_not_named() -> None:
    assert_fault(with_move(MOVES, r":\d", ""), MOVES, "to be drawn, but no pile is named")


@pytest.mark.parametrize("pile", [0, 5, 9])
def test_a_pile_that_does_not_exist(pile: int) -> None:
    assert_fault(with_move(MOVES, r":\d", f":{pile}"), MOVES, "empty-pile", f"pile {pile}")


def test_another_pile_than_the_true_one() -> None:
    """The hands differ from there on, so a later line, or the end, cannot be true."""
    drawn = LINES[MOVES - 1].split(":")[1][0]
    other = int(drawn) % 4 + 1
    assert fault(with_move(MOVES, r":\d", f":{other}")).line >= MOVES


def test_a_pile_after_the_last_pagoda() -> None:
    text = (FOLDER / "bird-2-last-pagoda.qin").read_text("utf-8").rstrip()
    last = len(text.splitlines())
    assert_fault(f"{text}:1\n", last, "nothing is drawn after the last pagoda")


def test_a_pile_when_all_are_empty() -> None:
    text = (FOLDER / "plain-4-out-of-tiles.qin").read_text("utf-8").rstrip()
    assert_fault(f"{text}:1\n", len(text.splitlines()), "empty-pile", "all piles are empty")


def test_an_illegal_placement_names_the_rule_and_the_spaces() -> None:
    moves = LINES[MOVES - 1].split()
    again = moves[1].split(":")[0]
    text = with_move(MOVES, re.escape(moves[2]), moves[1])
    error = fault(text)
    assert error.line == MOVES
    assert again in str(error)
    assert "not-grassland" in str(error) or "not-in-hand" in str(error)


def test_a_move_after_the_end() -> None:
    rounds = LAST - MOVES + 1
    assert_fault(TEXT + f"{rounds + 1} Ra1Ra2:1\n", LAST + 1, "Ra1Ra2:1 stands after the end")


def test_a_move_in_the_wrong_round() -> None:
    first, second = LINES[MOVES - 1].split(), LINES[MOVES].split()
    early = [*LINES[: MOVES - 1], " ".join([*first, second[1]]), " ".join(["2", *second[2:]])]
    assert_fault("\n".join(early + LINES[MOVES + 1 :]), MOVES, "does not belong to round 1")
    late = [*LINES[: MOVES - 1], " ".join(first[:-1]), " ".join(["2", first[-1], *second[1:]])]
    assert_fault("\n".join(late + LINES[MOVES + 1 :]), MOVES + 1, "does not belong to round 2")


def test_a_withdrawal_of_a_seat_that_is_out_or_not_there() -> None:
    changed = with_move(MOVES, TOKEN, r"2=resign 2=resign \g<0>")
    assert_fault(changed, MOVES, "2=resign", "out-of-game")
    changed = with_move(MOVES, TOKEN, r"4=resign \g<0>")
    assert_fault(changed, MOVES, "4=resign", "out-of-game")


def test_a_game_that_is_cut_short() -> None:
    assert_fault("\n".join(LINES[:-1]), LAST - 1, "the game goes on")


# ---- the end ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tag", "value"),
    [("Ending", "last-pagoda"), ("Ending", "resigned"), ("Winners", "1"), ("Reserves", "0/0/0")],
)
def test_an_end_that_is_not_true(tag: str, value: str) -> None:
    assert_fault(with_tag(tag, value), LAST, f"{tag} says {value!r}", repr(value_of(tag)))
