"""The full-screen client for the terminal.

theme.py       all colours and glyphs: palettes, depths, ASCII
board_view.py  a position as text with styles; scale.py how large, and which part of it
"""
