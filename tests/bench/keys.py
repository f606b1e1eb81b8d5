"""How long a key press takes until the terminal shows it, at a table with a busy log.

The screen is the real one, at a real server, with two random players in the middle of a game; only
the terminal is none: what would be written to it is thrown away.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import statistics
import sys
import time
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from random import Random

from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output
from qin.client import Table, connect
from qin.client.tui.journal import LONGEST, Kind
from qin.client.tui.stage import Stage
from qin.client.tui.table_screen import TableScreen
from qin.client.tui.theme import Theme
from qin.server.options import Options
from qin.server.server import running

KEYS = {
    "move": ("\x1b[C", "\x1b[D"),
    "turn": ("r", "R"),
    "next spot": ("\t", "\x1b[Z"),
    "hint": ("?", "?"),
}
PLIES = 30
LINE = (
    "bob places Rc4Yd4; yellow provinces join into a major province of bob at e2 f2 g2 e3: 1 more"
)


class _Nowhere(io.StringIO):
    def write(self, text: str) -> int:
        return len(text)


@asynccontextmanager
async def middle_of_a_game() -> AsyncIterator[tuple[TableScreen, Stage, PipeInput]]:
    async with running(Options(port=0)) as server:
        where = f"127.0.0.1:{server.port}"
        async with connect(where) as ann, connect(where) as bob:
            table = await ann.create(board="lion")
            other = bob.table(table.table_id)
            await table.join("ann")
            await other.join("bob")
            await table.start()
            await _play_on(table, other)
            with create_pipe_input() as pipe:
                output = Vt100_Output(
                    _Nowhere(), lambda: Size(40, 120), term="xterm-256color", enable_cpr=False
                )
                stage = Stage(Theme(depth=ColorDepth.DEPTH_24_BIT), typed=pipe, output=output)
                yield TableScreen(stage, ann, table), stage, pipe


async def _play_on(table: Table, other: Table) -> None:
    """Until it is the first player's turn after so many plies."""
    rng = Random(1)

    async def play(side: Table) -> None:
        async with aclosing(side.watch()) as updates:
            async for _, state in updates:
                if not state.my_turn or state.view is None:
                    continue
                if side is table and state.view.ply >= PLIES:
                    return
                await side.place(state.view.legal.choice(rng))

    opponent = asyncio.create_task(play(other))
    await play(table)
    opponent.cancel()
    await asyncio.gather(opponent, return_exceptions=True)


async def measure(presses: int) -> dict[str, list[float]]:
    seconds: dict[str, list[float]] = {}
    async with middle_of_a_game() as (screen, stage, pipe):
        drawn = asyncio.Event()
        stage.app.after_render += lambda _: drawn.set()

        async def press(keys: str) -> float:
            drawn.clear()
            began = time.perf_counter()
            pipe.send_text(keys)
            await drawn.wait()
            return time.perf_counter() - began

        async def play(stage: Stage) -> None:
            shown = asyncio.create_task(stage.show(screen))
            while not screen.model.my_turn:
                drawn.clear()
                await drawn.wait()
            for number in range(LONGEST):
                screen.model.journal.add(Kind.MOVE, f"{number} {LINE}")
            for name, (one, other) in KEYS.items():
                seconds[name] = []
                for number in range(presses):
                    # Something new in the log each time, so that all of it moves.
                    screen.model.journal.add(Kind.MOVE, f"{number} {LINE}")
                    seconds[name].append(await press(other if number % 2 else one))
            screen.leave(None)
            await shown

        await stage.run(play)
    return seconds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--presses", type=int, default=300, help="of each key")
    options = parser.parse_args()
    print("key press to redraw, 120 x 40       median      p95      max")
    for name, seconds in asyncio.run(measure(options.presses)).items():
        p95 = statistics.quantiles(seconds, n=20)[-1]
        figures = (statistics.median(seconds), p95, max(seconds))
        print(f"{name:32} " + " ".join(f"{1000 * each:6.1f}ms" for each in figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
