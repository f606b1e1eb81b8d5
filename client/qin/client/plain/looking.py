"""What can be asked at a table without changing anything."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from qin.client.plain import board_words, table_words
from qin.client.plain.table_words import effect_in_words, sentence
from qin.client.tui.effects import Effect, best_first, effect_of
from qin.client.tui.table_model import TableModel
from qin.engine import ParseError, Placement, Position, QinError, Seat, Tile, View
from qin.engine.words import counted

SHOWN = 5
"""So many placements a hint tells of."""
LOGGED = 10
"""So many of the last lines are told again."""

Asking = Callable[[str], Iterator[str]]


class Looking:
    """Answers in sentences. Remembers the placements that it told of last, by their numbers."""

    def __init__(self, model: TableModel) -> None:
        self._model = model
        self._told: list[Effect] = []
        self._told_at = -1
        self.commands: dict[str, tuple[Asking, str, str]] = {
            "now": (self._now, "", "what the table waits for"),
            "board": (self._board, "", "the whole board, drawn in letters"),
            "row": (self._row, "5", "one row of the board in words"),
            "around": (self._around, "c4", "what is on c4 and beside it"),
            "provinces": (self._provinces, "", "who has which provinces"),
            "villages": (self._villages, "", "who holds which village, and who is beside it"),
            "tiles": (self._tiles, "", "the tiles that you hold"),
            "players": (self._players, "", "everybody's pagodas, tiles and clocks"),
            "piles": (self._piles, "", "how many tiles are left to draw"),
            "hint": (self._hint, "8", f"the {SHOWN} best placements, or as many as you say"),
            "legal": (self._legal, "RY", "all placements of a tile, or of your hand, best first"),
            "try": (self._try, "Rc4Yd4", "what a placement would do"),
            "log": (self._log, "20", f"the last {LOGGED} things that happened, or more"),
        }

    def placement(self, number: str) -> Placement:
        """One of the placements that were told of, by its number."""
        view = self._view()
        if self._told_at != view.ply or not self._told:
            raise QinError("there is no list of placements for this turn; type hint first")
        if not (number.isascii() and number.isdecimal() and 0 < int(number) <= len(self._told)):
            raise ParseError(f"{number!r} is not in the list; it goes from 1 to {len(self._told)}")
        return self._told[int(number) - 1].placement

    # ---- answers -------------------------------------------------------------------------------

    def _now(self, _: str) -> Iterator[str]:
        yield table_words.now_in_words(self._model)

    def _board(self, _: str) -> Iterator[str]:
        yield from board_words.board_rows(self._position())

    def _row(self, text: str) -> Iterator[str]:
        position = self._position()
        height = position.board.height
        if not (text.isascii() and text.isdecimal() and 1 <= int(text) <= height):
            raise ParseError(f"which row? write row 1 to row {height}")
        yield board_words.row_in_words(position, self._model.names, int(text) - 1)

    def _around(self, text: str) -> Iterator[str]:
        position = self._position()
        if not text:
            raise ParseError("around which space? write around c4")
        space = board_words.parse_on_board(text, position.board)
        yield from board_words.around(position, self._model.names, space)

    def _provinces(self, _: str) -> Iterator[str]:
        yield from board_words.provinces_in_words(self._position(), self._model.names)

    def _villages(self, _: str) -> Iterator[str]:
        yield from board_words.villages_in_words(self._position(), self._model.names)

    def _tiles(self, _: str) -> Iterator[str]:
        if self._model.spectator:
            yield "You look on, and hold no tiles."
        else:
            yield table_words.hand_in_words(self._model.hand)

    def _players(self, _: str) -> Iterator[str]:
        yield from table_words.players_in_words(self._model)

    def _piles(self, _: str) -> Iterator[str]:
        yield table_words.piles_in_words(self._view(), self._model.pile)

    def _log(self, text: str) -> Iterator[str]:
        wanted = _number(text) if text else LOGGED
        entries = list(self._model.journal.entries)[-wanted:]
        yield from (sentence(entry.text) for entry in entries)

    # ---- placements ----------------------------------------------------------------------------

    def _hint(self, text: str) -> Iterator[str]:
        wanted = _number(text) if text else SHOWN
        yield from self._list(self._effects(self._view().hand)[:wanted])

    def _legal(self, text: str) -> Iterator[str]:
        hand = self._view().hand
        tiles = (Tile.parse(text),) if text else hand
        if text and tiles[0] not in hand:
            raise ParseError(f"you do not hold {tiles[0]}")
        yield from self._list(self._effects(tiles))

    def _effects(self, tiles: tuple[Tile, ...]) -> list[Effect]:
        view = self._view()
        if not self._model.my_turn or view.seat is None:
            raise QinError("that is for your own turn; try Rc4Yd4 works at any time")
        return best_first(view.position, view.seat, view.position.placements(tiles))

    def _list(self, effects: list[Effect]) -> Iterator[str]:
        view = self._view()
        assert view.seat is not None
        self._told, self._told_at = effects, view.ply
        for number, effect in enumerate(effects, start=1):
            yield f"{number}. {effect_in_words(effect, view.seat, self._model.names)}"
        told = counted(len(effects), "placement")
        yield f"{told}. Type place 1 for the first one." if effects else "It may lie nowhere."

    def _try(self, text: str) -> Iterator[str]:
        view = self._view()
        if view.seat is None:
            raise QinError("you look on; only players may try a tile")
        placement = Placement.parse(text) if not text.isdecimal() else self.placement(text)
        legal = view.position.check(placement)
        effect = effect_of(view.position, Seat(view.seat), legal)
        held = "" if placement.tile in view.hand else " But you do not hold that tile."
        yield effect_in_words(effect, view.seat, self._model.names) + held

    # ---- what there is to look at --------------------------------------------------------------

    def _view(self) -> View:
        if self._model.view is None:
            raise QinError("the game has not started")
        return self._model.view

    def _position(self) -> Position:
        position = self._model.position
        if position is None:
            raise QinError("the table has not answered yet")
        return position


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and 0 < int(text[:6]) < 1000):
        raise ParseError(f"{text!r} is not a number that makes sense here")
    return int(text)
