"""The client line by line: for screen readers, and for terminals that cannot be drawn on.

console.py   lines that are typed, and sentences that are told
board_words.py, table_words.py  what there is to tell of a board and of a table
seating.py   from a choice in the lobby to a seat
lobby.py     what can be typed in the lobby
table.py     what can be typed at a table; looking.py is the part that only tells
tutorial.py  the course
play.py      all of it together
"""

from qin.client.plain.console import Console, standard_console
from qin.client.plain.play import play_plain

__all__ = ["Console", "play_plain", "standard_console"]
