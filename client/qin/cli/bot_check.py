"""`qin bot check`: a bot goes through awkward games, and a list tells how it did."""

from __future__ import annotations

import asyncio
import json
import logging
import sys
from collections.abc import Iterator
from typing import NamedTuple

import click
from qin.bots import Spec
from qin.cli.bot_trials import TRIALS, Course, Trials
from qin.cli.failure import Failure
from qin.cli.options import json_option
from qin.cli.specs import SPEC
from qin.client import Address, connect
from qin.engine.words import counted, listed, printable
from qin.server.options import Options
from qin.server.server import running

_MEGABYTE = 1 << 20
_HARMLESS = ("STALE_PLY", "NOT_YOUR_TURN", "GAME_OVER")
"""Refusals that a bot meets whose game has gone on."""


class Finding(NamedTuple):
    """One line of the list."""

    question: str
    passed: bool | None
    """None where it could not be found out."""
    note: str


@click.command(short_help="Try a bot in awkward games.")
@click.argument("spec", type=SPEC)
@click.option(
    "--time",
    "seconds",
    type=click.IntRange(1, 3600),
    default=5,
    show_default=True,
    help="Seconds that a choice may take.",
)
@click.option(
    "--memory",
    type=click.IntRange(1),
    default=1024,
    show_default=True,
    help="Megabytes that it may take, with all that it starts.",
)
@json_option
def check(spec: Spec, seconds: int, memory: int, as_json: bool) -> None:  # noqa: FBT001
    """Try a bot in awkward games against a server of its own, and list how it did.

    It plays with 2, 3 and 4 players, on small and large boards, loses its
    connection in the middle of a game, and plays one game twice. Ends with 1
    if anything is wrong.

    \b
    Example:
      qin bot check greedy
      qin bot check ./mine.py:MyBot --time 1
      qin bot check 'exec:node bot.js'
    """
    findings = asyncio.run(_check(spec, seconds, memory * _MEGABYTE))
    if as_json:
        click.echo(json.dumps([finding._asdict() for finding in findings]))
    else:
        for finding in findings:
            mark = {True: "ok  ", False: "FAIL", None: " ?  "}[finding.passed]
            click.echo(printable(f"{mark}  {finding.question}: {finding.note}"))
    failed = sum(finding.passed is False for finding in findings)
    if failed:
        if not as_json:
            click.echo(f"\n{counted(failed, 'fault')} in {printable(spec.text)}.")
        sys.exit(1)
    if not as_json:
        click.echo(f"\n{printable(spec.text)} is ready to play.")


async def _check(spec: Spec, seconds: int, memory: int) -> list[Finding]:
    logger = logging.getLogger("qin.server")
    logger.setLevel(logging.DEBUG)
    logger.propagate = False
    options = Options(port=0, allow_deals=True)
    async with (
        running(options) as server,
        connect(Address("127.0.0.1", server.port)) as client,
    ):
        trials = Trials(client, spec, seconds=seconds, memory=memory)
        courses: list[Course] = []
        for trial in TRIALS:
            courses.append(await trials.run(trial))
            _loaded(courses[-1])
            if _is_broken(courses[-1]) or _had_to_be_ended(courses[-1]):
                return list(_findings(courses, seconds, memory))
        again = await trials.run(TRIALS[0])
        cut = await trials.run(TRIALS[0], cut=True)
    return [
        *_findings([*courses, again, cut], seconds, memory),
        _is_deterministic(courses[0], again),
        _survives(cut),
    ]


def _loaded(course: Course) -> None:
    """A bot that is not found, or cannot be made, is told as everywhere.

    It is loaded in its own process alone: what it does there cannot stop the check.
    """
    seen = course.seen
    if seen and not course.came and seen.exit_code:
        raise Failure(seen.fate)


def _is_broken(course: Course) -> bool:
    """Whether the game was not played to its end by the bot."""
    return course.record is None or course.out_of_time or course.gave_up


def _had_to_be_ended(course: Course) -> bool:
    return course.seen is not None and course.seen.exit_code is None


def _findings(courses: list[Course], seconds: int, memory: int) -> Iterator[Finding]:
    last = courses[-1]
    played = [course for course in courses if course.record and not _is_broken(course)]
    said = f" ({last.seen.fate})" if last.seen and last.seen.fate else ""
    yield Finding(
        "sits down and plays to the end",
        len(played) == len(courses),
        f"{counted(len(played), 'game')}"
        if len(played) == len(courses)
        else f"not in {last.trial.name}{'' if last.came else ': it never came'}{said}",
    )
    refused = sorted({each for course in courses for each in course.refused} - {*_HARMLESS})
    illegal = any(course.seen and "none of its options" in course.seen.said for course in courses)
    yield Finding(
        "places legally",
        not (refused or illegal),
        f"refused: {listed(refused)}" if refused else f"not always{said}" if illegal else "always",
    )
    late = [course.trial.name for course in courses if course.out_of_time]
    slowest = max(course.slowest for course in courses)
    yield Finding(
        "answers in time",
        not late,
        f"its time ran out in {listed(late)}"
        if late
        else f"the slowest choice took {slowest:.2f} s of {seconds} s",
    )
    seen = [course.seen for course in courses if course.seen]
    most = max(each.memory for each in seen)
    known = bool(most) or None
    yield Finding(
        "stays within its memory",
        known and not any(each.too_hungry for each in seen),
        f"{most // _MEGABYTE} MB of {memory // _MEGABYTE} MB"
        if most
        else "this system does not tell",
    )
    left = sum(each.left_behind for each in seen)
    stuck = any(each.exit_code is None and not each.too_hungry for each in seen)
    failed = [each.seen.fate for each in played if each.seen and each.seen.exit_code]
    yield Finding(
        "ends with its game and leaves nothing behind",
        False if stuck or failed else known and not left,
        f"{counted(left, 'process', 'processes')} left"
        if left
        else "it had to be ended"
        if stuck
        else failed[0]
        if failed
        else "nothing is left",
    )


def _is_deterministic(one: Course, other: Course) -> Finding:
    same = bool(one.record and other.record and one.record.rounds == other.record.rounds)
    return Finding(
        "same seed, same choices",
        same,
        "twice the same game"
        if same
        else "two games differ; take all chance from the seed, and a budget such as nodes=500"
        " instead of time",
    )


def _survives(course: Course) -> Finding:
    alive = course.record is not None and not _is_broken(course)
    return Finding(
        "survives a lost connection",
        alive,
        "came back and played on" if alive else "did not come back",
    )
