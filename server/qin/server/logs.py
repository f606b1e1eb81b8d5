"""Structured logs: one JSON object a line, to standard error. No token ever comes here."""

from __future__ import annotations

import json
import logging
import time

_LOGGER = logging.getLogger("qin.server")


def log(event: str, **facts: str | float | bool | None) -> None:
    """Say what happened, with facts by name."""
    if _LOGGER.isEnabledFor(logging.INFO):
        _LOGGER.info(event, extra={"facts": facts})


def log_detail(event: str, **facts: str | float | bool | None) -> None:
    """What only somebody wants to know who is looking for something."""
    if _LOGGER.isEnabledFor(logging.DEBUG):
        _LOGGER.debug(event, extra={"facts": facts})


def log_failure(error: BaseException, **facts: str) -> None:
    """Say what went wrong in a way that nobody foresaw, with the traceback."""
    _LOGGER.error("unexpected failure", exc_info=error, extra={"facts": facts})


class JsonLines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.created)),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
        }
        line |= getattr(record, "facts", {})
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=True)


def log_to_stderr(level: str) -> None:
    """Set up logging for a server's process."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    logging.basicConfig(handlers=[handler], level=level.upper(), force=True)
