"""Standard input and output for a process that shares itself with bots."""

from __future__ import annotations

import os
from typing import TextIO


def own_output() -> TextIO:
    """Where the answers go, out of the reach of a bot that prints: its words go nowhere."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    return answers


def own_input() -> TextIO:
    """Where the jobs come from; a bot that asks the user finds nobody there."""
    source = os.fdopen(os.dup(0), encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    return source
