"""The full-screen client for the terminal.

stage.py       the one application; each screen is shown on it until it is left
journey.py     from the lobby to a table and back, as one coroutine
home.py        what the command line hands in: a server of one's own, and how to find others
keeping.py     seats that survive quitting

table_*        the table: model, acts, views (also panel_view.py), keys, and the screen of them
lobby_*        the lobby, likewise
text_screen.py, help_pages.py, tutorial.py  pages to read, and the guided first game
held.py, effects.py, journal.py, commands.py  a tile in hand, what it would do, what has
               happened, and what can be typed: no terminal in them

theme.py       all colours and glyphs: palettes, depths, ASCII
board_view.py  a position as text with styles; scale.py how large, and which part of it;
               board_control.py the same as a control with a mouse
fragments.py, input_line.py  small things to write screens with
"""
