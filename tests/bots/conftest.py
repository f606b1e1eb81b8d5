"""Bots in other languages."""

from __future__ import annotations

from examples.conftest import node_example

__all__ = ["node_example"]
