"""Bots as arguments of commands."""

from __future__ import annotations

import click
from qin.bots import Spec, SpecError


class SpecType(click.ParamType):  # type: ignore[type-arg]  # generic in newer clicks only
    """A bot: NAME, ./FILE.py:CLASS or exec:COMMAND."""

    name = "spec"

    def convert(
        self, value: str | Spec, param: click.Parameter | None, ctx: click.Context | None
    ) -> Spec:
        if isinstance(value, Spec):
            return value
        try:
            return Spec.parse(value)
        except SpecError as error:
            return self.fail(str(error), param, ctx)


SPEC = SpecType()
