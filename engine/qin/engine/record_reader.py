"""Reading a record: every problem is told with the line it stands on."""

from __future__ import annotations

import re

from qin.engine.board import Board, split_lines
from qin.engine.deal import Deal, deal_problem
from qin.engine.errors import QinError, RecordError
from qin.engine.events import Ending
from qin.engine.game import Outcome
from qin.engine.names import name_problem
from qin.engine.record import REQUIRED_TAGS, VERSION, Move, Record
from qin.engine.shuffle import NONCE_BYTES, SALT_BYTES, Stream, commitment_to, shuffled_deal
from qin.engine.tiles import (
    PAGODAS,
    SEATS,
    Seat,
    Tile,
    parse_tiles,
)

_TAG = re.compile(r'\[([A-Za-z][A-Za-z0-9]*) "([^"\\]*)"\]')


def parse_record(text: str) -> Record:
    """Read a record. It is well-formed then; `Record.check` tells whether it is true."""
    tags: dict[str, str] = {}
    line_of: dict[str, int] = {}
    rounds: list[tuple[Move, ...]] = []
    lines = split_lines(text)
    for number, line in enumerate(lines, start=1):
        stripped = line.strip()
        if not stripped:
            continue
        if not tags and not stripped.startswith("[Qin "):
            raise RecordError(number, 'not a record: it does not begin with [Qin "1"]')
        if stripped.startswith("["):
            if rounds:
                raise RecordError(number, "a tag among the moves")
            name, value = _parse_tag(number, stripped)
            if name in tags:
                raise RecordError(number, f"a second tag {name}")
            tags[name], line_of[name] = value, number
        else:
            rounds.append(_parse_round(number, stripped, len(rounds) + 1))
    if not tags:
        raise RecordError(1, "not a record: the file is empty")
    return _Tags(tags, line_of, len(lines)).record(tuple(rounds))


def _parse_tag(number: int, line: str) -> tuple[str, str]:
    match = _TAG.fullmatch(line)
    if not match:
        raise RecordError(number, f'not a tag: {line[:60]!r}; a tag reads [Name "value"]')
    return match[1], match[2]


def _parse_round(number: int, line: str, expected: int) -> tuple[Move, ...]:
    head, *moves = line.split()
    if head != str(expected):
        raise RecordError(number, f"expected round {expected}, found {head[:20]!r}")
    if not moves:
        raise RecordError(number, f"round {expected} is empty")
    return tuple(Move(move, number) for move in moves)


class _Tags:
    """The tags of a record, turned into values one by one."""

    def __init__(self, tags: dict[str, str], lines: dict[str, int], last_line: int) -> None:
        self._tags = tags
        self._lines = lines
        self._last_line = last_line

    def record(self, rounds: tuple[tuple[Move, ...], ...]) -> Record:
        if self._tags["Qin"] != VERSION:
            raise self._error("Qin", f"this program reads version {VERSION} of the record")
        for name in REQUIRED_TAGS:
            if name not in self._tags:
                raise RecordError(
                    self._last_line, f"there is no tag {name}; the record is cut short"
                )
        seats = self._seats()
        if not rounds:
            raise RecordError(self._last_line, "there are no moves; the record is cut short")
        return Record(
            board=self._board(),
            seats=seats,
            first=self._seat_list("First", len(seats), single=True)[0],
            deal=self._checked_shuffle(self._deal(len(seats))),
            rounds=rounds,
            outcome=Outcome(self._ending(), self._seat_list("Winners", len(seats))),
            reserves=self._reserves(len(seats)),
            tags={name: value for name, value in self._tags.items() if name not in REQUIRED_TAGS},
        )

    def _error(self, name: str, problem: str) -> RecordError:
        return RecordError(self._lines[name], f"{name}: {problem}")

    def _board(self) -> Board:
        if not self._tags["Board"].isprintable():
            raise self._error("Board", "the name of a board has no control characters")
        try:
            return Board.parse(self._tags["Map"], name=self._tags["Board"])
        except QinError as error:
            raise self._error("Map", str(error)) from None

    def _seats(self) -> tuple[str, ...]:
        seats = tuple(self._tags["Seats"].split("/"))
        if len(seats) not in SEATS:
            raise self._error("Seats", f"2 to 4 players play Qin, not {len(seats)}")
        for name in seats:
            if problem := name_problem(name):
                raise self._error("Seats", f"{name!r}: {problem}")
        if len(set(seats)) < len(seats):
            raise self._error("Seats", "two seats have the same name")
        return seats

    def _seat_list(self, name: str, players: int, *, single: bool = False) -> tuple[Seat, ...]:
        words = self._tags[name].split("/")
        known = [str(seat) for seat in range(1, players + 1)]
        if any(word not in known for word in words) or words != sorted(set(words)):
            raise self._error(name, f"{self._tags[name]!r} does not name seats from 1 to {players}")
        if single and len(words) != 1:
            raise self._error(name, "only one seat starts")
        return tuple(Seat(int(word) - 1) for word in words)

    def _tiles(self, name: str) -> tuple[tuple[Tile, ...], ...]:
        try:
            return tuple(parse_tiles(part) for part in self._tags[name].split("/"))
        except QinError as error:
            raise self._error(name, str(error)) from None

    def _deal(self, players: int) -> Deal:
        deal = Deal(self._tiles("Hands"), self._tiles("Piles"))
        if problem := deal_problem(deal, players):
            raise self._error(*problem)
        return deal

    def _checked_shuffle(self, deal: Deal) -> Deal:
        """The deal, once it is known to follow from salt and nonces, where these are revealed."""
        if "Salt" not in self._tags:
            return deal
        salt = self._hex("Salt", SALT_BYTES)[0]
        if self._tags.get("Commitment", commitment_to(salt)).lower() != commitment_to(salt):
            raise self._error("Commitment", "it is not the SHA-256 of the salt")
        if "Nonces" not in self._tags:
            raise self._error("Salt", "there is a salt, but no tag Nonces")
        nonces = self._hex("Nonces", NONCE_BYTES)
        if len(nonces) != len(deal.hands):
            raise self._error(
                "Nonces", f"each of {len(deal.hands)} seats gives one, here are {len(nonces)}"
            )
        number = self._tags.get("Game", "1")
        if not (number.isascii() and number.isdecimal() and 1 <= len(number) <= 9):
            raise self._error("Game", f"{number[:20]!r} is not the number of a game")
        if shuffled_deal(Stream(salt, int(number), nonces), len(nonces)) != deal:
            raise self._error("Salt", "hands and piles are not what salt and nonces deal")
        return deal

    def _hex(self, name: str, size: int) -> list[bytes]:
        try:
            values = [bytes.fromhex(word) for word in self._tags[name].split("/")]
        except ValueError:
            values = []
        if not values or any(len(value) != size for value in values):
            raise self._error(name, f"each value has {size} bytes in hex")
        return values

    def _ending(self) -> Ending:
        try:
            return Ending(self._tags["Ending"])
        except ValueError:
            known = ", ".join(ending.value for ending in Ending)
            raise self._error(
                "Ending", f"{self._tags['Ending']!r} is not an ending; there are {known}"
            ) from None

    def _reserves(self, players: int) -> tuple[int, ...]:
        words = self._tags["Reserves"].split("/")
        possible = [str(left) for left in range(PAGODAS[players] + 1)]
        if len(words) != players or any(word not in possible for word in words):
            raise self._error(
                "Reserves",
                f"{self._tags['Reserves']!r} does not give what {players} seats have left",
            )
        return tuple(map(int, words))
