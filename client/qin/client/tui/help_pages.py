"""The pages of help: pairs of a key and what it does; a pair without a key is a paragraph."""

from __future__ import annotations

from qin.client.tui.commands import USAGE

_THE_GAME = (
    "Each turn you lay one tile on two free spaces, beside a coloured space, and draw another."
    " Two or more connected spaces of a colour are a province with one pagoda of its owner, five"
    " or more a major province with two. Whoever has the most pagodas beside a village takes it,"
    " for one pagoda more. Be the first to place your last pagoda."
)

TABLE_HELP = (
    ("", _THE_GAME),
    ("", ""),
    ("1 2 3", "choose a tile"),
    ("arrows, hjkl", "move it"),
    ("r, space", "turn it; R turns it back"),
    ("Enter", "place it"),
    ("Tab, Shift-Tab", "to the next spot where it may lie, or the one before"),
    ("?", "a hint: most pagodas gained less pagodas given; Tab shows the next best"),
    ("mouse", "click a space to hold the tile there, click again to place; the wheel turns"),
    ("p", "draw from another pile"),
    ("PgUp PgDn", "scroll the log"),
    ("'", "chat"),
    (":", "type a command:"),
    *((f"  :{usage}", what) for usage, what in USAGE),
    ("s b x", "before the game, for whoever opened the table: start, seat a bot, free a seat"),
    ("r s", "after it: ask for a rematch, save the record"),
    ("q", "back to the lobby; your seat is kept"),
    ("Ctrl-C", "quit; your seat is kept"),
)
LOBBY_HELP = (
    ("arrows, jk", "choose what to do, or a table"),
    ("Enter", "do it: start, go on, join or watch"),
    ("n", "a new game here against bots"),
    ("b s o", "choose the board, the seats and the opponents of a new game"),
    ("m", "change your name"),
    ("g", "go on with a game that you left"),
    ("h", "host a game for friends on your network; you get one line to pass on"),
    ("a", "go to a server by its address"),
    ("w", "watch the chosen table"),
    ("t", "the tutorial: learn to play in a few minutes"),
    ("q", "quit"),
)
