"""Bots: players that are programs.

bot.py          the interface: one method
worlds.py       the forward model: complete games that agree with what a bot knows
spec.py         how a bot is named on the command line, and found
arena.py        one game between bots of this process
evaluation.py   how a seat stands in a position
replies.py      the best that a seat can do with each kind of tile
builtin/        the bots that come along, one file each
"""

from qin.bots.bot import Bot, Option, Options
from qin.bots.spec import Command, PythonBot, Spec, SpecError, known_bots
from qin.bots.worlds import imagine

__all__ = [
    "Bot",
    "Command",
    "Option",
    "Options",
    "PythonBot",
    "Spec",
    "SpecError",
    "imagine",
    "known_bots",
]
