"""The edge of the process: whatever goes wrong inside becomes one line and an exit code here."""

from __future__ import annotations

import os
import sys
from typing import Any, NoReturn

import click
from qin.cli.failure import Failure
from qin.cli.lazy import LazyGroup
from qin.engine import QinError

INTERRUPTED = 130
"""What shells expect of a program that ended with Ctrl-C."""


class EdgeGroup(LazyGroup):
    """The outermost command. No traceback leaves it, unless QIN_TRACEBACK asks for one."""

    def main(self, *args: Any, **extra: Any) -> NoReturn:
        extra["standalone_mode"] = False
        try:
            result = super().main(*args, **extra)
        except click.Abort:
            sys.exit(INTERRUPTED)
        except click.ClickException as failure:
            failure.show()
            sys.exit(failure.exit_code)
        except Exception as error:
            if os.environ.get("QIN_TRACEBACK"):
                raise
            Failure(_explain(error)).show()
            sys.exit(1)
        # click hands an exit code back where a command left early, as --help does.
        sys.exit(result if isinstance(result, int) else 0)


def _explain(error: Exception) -> str:
    if isinstance(error, QinError):
        return str(error)
    if isinstance(error, OSError):
        reason = (error.strerror or str(error)).lower()
        return f"{error.filename or 'input or output failed'}: {reason}"
    return (
        f"this is a fault in qin itself: {type(error).__name__}: {error};"
        " set QIN_TRACEBACK=1 to see where, and please report it"
    )
