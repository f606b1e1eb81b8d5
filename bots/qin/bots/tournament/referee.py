"""One game between bots of this process, in which a bot at fault forfeits and the others play on.

Another process watches over the desk. If it has to end this one, the game is played again by a
fresh one up to where it was: `Known` tells what had been placed, and who is out for what.
"""

from __future__ import annotations

import gc
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic, perf_counter
from typing import Any

from qin.bots.arena import IllegalAnswer, checked
from qin.bots.bot import Bot, Options
from qin.bots.spec import PythonBot
from qin.bots.tournament.desk import NOBODY, Desk
from qin.bots.tournament.games import (
    CRASH,
    ILLEGAL,
    MEMORY,
    TIME,
    Fault,
    Job,
    Result,
    Times,
    in_order,
)
from qin.bots.tournament.memory import held_bytes
from qin.engine import Board, Game, LegalPlacement, Placement, Recorder, Seat, view_of

LOADING_SECONDS = 30.0
"""What a bot may take to get ready, beyond a decision: it may have much to load."""
_LONGEST_DETAIL = 200


class Faulty(Exception):
    """A bot is at fault, for this reason."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail[:_LONGEST_DETAIL]


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a game that was begun before."""

    placed: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "placed": self.placed,
            "faults": [[each.seat, each.reason, each.ply, each.detail] for each in self.faults],
        }

    @classmethod
    def from_json(cls, facts: Mapping[str, Any]) -> Known:
        return cls(tuple(facts["placed"]), tuple(Fault(*each) for each in facts["faults"]))


class Referee:
    """Plays one game to its end, whatever its bots do."""

    def __init__(self, job: Job, board: Board, desk: Desk, known: Known) -> None:
        deal, first = job.dealt()
        self.job = job
        self.game = Game.start(board, deal, first)
        self._desk = desk
        self._recorder = Recorder(self.game, job.names, {"Event": job.event} if job.event else {})
        self._bots: list[Bot | None] = [None] * len(job.seats)
        """None for one that is out."""
        self._script = list(known.placed)
        """What was placed when the game was played before, the next one last."""
        self._script.reverse()
        self._faults = list(known.faults)
        self._times = [Times() for _ in job.seats]
        self._grown = [0] * len(job.seats)
        """How much memory the process has come to hold while each seat was asked."""

    def play(self, makers: Mapping[str, Callable[[], PythonBot]]) -> Result:
        """Play the game; `makers` find a bot by its spec."""
        out_later = {fault.seat - 1 for fault in self._faults}
        for seat, entrant in enumerate(self.job.seats):
            if seat not in out_later:
                self._prepare(seat, makers[entrant.spec])
        while self.game.outcome is None:
            if self._due():
                continue
            if self.game.must_pass:
                self._step(*self.game.pass_turn())
            else:
                self._turn()
        for seat in range(len(self._bots)):
            self._say_goodbye(seat)
        return self._result()

    # ---- the steps of a game -------------------------------------------------------------------

    def _prepare(self, seat: int, maker: Callable[[], PythonBot]) -> None:
        view = view_of(self.game, Seat(seat))

        def prepare() -> None:
            bot = maker()(self.job.bot_seed(seat) + "/1")  # as in the first game at a table
            bot.game_starts(view)
            self._bots[seat] = bot

        try:
            self._watched(seat, prepare, LOADING_SECONDS)
        except Faulty as fault:
            self._blame(seat, fault)

    def _due(self) -> bool:
        """Let a seat forfeit that is at fault here, in its turn or out of it."""
        for fault in self._faults:
            seat = Seat(fault.seat - 1)
            if fault.ply <= self.game.ply and seat not in self.game.out:
                self._bots[seat] = None
                self._step(*self.game.withdraw(seat, forfeit=True))
                return True
        return False

    def _turn(self) -> None:
        seat = self.game.turn
        answer: LegalPlacement | None = None
        bot = self._bots[seat]
        if bot is not None:
            try:
                answer = self._ask(seat, bot)
            except Faulty as fault:
                self._blame(seat, fault)
                # What came after it before cannot come again.
                self._script.clear()
                return
        if self._script:
            answer = self.game.check(seat, Placement.parse(self._script.pop()))
        if answer is None:
            # It is to be out later than the game has got this time, so it is out now.
            self._faults = [
                replace(fault, ply=self.game.ply) if fault.seat == seat + 1 else fault
                for fault in self._faults
            ]
            return
        self._desk.placed(str(answer))
        self._step(*self.game.place(answer))

    def _ask(self, seat: Seat, bot: Bot) -> LegalPlacement:
        view = view_of(self.game, seat)
        options = Options(view)
        limit = self.job.seconds

        def choose() -> LegalPlacement:
            bot.time_left(limit)
            return bot.choose(view, options)

        began = perf_counter()
        answer: object = self._watched(seat, choose)
        seconds = perf_counter() - began
        try:
            placement = checked(answer, options, seat, bot)
        except IllegalAnswer as error:
            raise Faulty(ILLEGAL, str(error)) from None
        self._times[seat] = self._times[seat].plus(seconds)
        if seconds > limit:
            raise Faulty(TIME, f"took {seconds:.3f} of {limit:g} seconds")
        return placement

    def _say_goodbye(self, seat: int) -> None:
        """Tell a bot that the game is over. It can spoil nothing any more, but is noted."""
        bot = self._bots[seat]
        if bot is None:
            return
        view = view_of(self.game, Seat(seat))
        try:
            self._watched(seat, lambda: bot.game_ended(view))
        except Faulty as fault:
            self._faults.append(Fault(seat + 1, fault.reason, self.game.ply, fault.detail))

    def _step(self, game: Game, events: list[Any]) -> None:
        self._recorder.note(self.game.turn, events)
        self.game = game

    # ---- who is to blame -----------------------------------------------------------------------

    def _watched(self, seat: int, call: Callable[[], Any], extra: float = 0.0) -> Any:
        """Call a bot, with the watchdog looking on; whatever it raises is its fault.

        It may take the time of a decision, and some extra where there is reason to.
        """
        before = held_bytes()
        self._desk.at_work(monotonic() + extra, seat, self.game.ply)
        try:
            return call()
        except MemoryError:
            raise Faulty(MEMORY, f"more than {self.job.megabytes} MB") from None
        except BaseException as error:  # noqa: BLE001 - a bot may raise SystemExit, too
            raise Faulty(CRASH, told(error)) from None
        finally:
            self._desk.at_work(monotonic(), NOBODY, self.game.ply)
            self._grown[seat] += held_bytes() - before

    def _blame(self, seat: int, fault: Faulty) -> None:
        """Note a fault. Memory is the fault of who holds it, not of who wanted the last piece."""
        if fault.reason == MEMORY:
            there = [each for each, bot in enumerate(self._bots) if bot is not None or each == seat]
            seat = max(there, key=lambda each: (self._grown[each], each == seat))
        self._bots[seat] = None
        self._faults.append(Fault(seat + 1, fault.reason, self.game.ply, fault.detail))
        if fault.reason == MEMORY:
            gc.collect()

    def _result(self) -> Result:
        game = self.game
        assert game.outcome is not None
        record = self._recorder.record(game)
        return Result(
            game=self.job.game,
            deal=self.job.deal,
            round=self.job.round,
            board=self.job.ground.name,
            seats=self.job.names,
            first=record.first + 1,
            winners=tuple(seat + 1 for seat in game.outcome.winners),
            reserves=game.position.reserves,
            ending=game.outcome.ending.value,
            plies=game.ply,
            times=tuple(self._times),
            faults=in_order(self._faults),
            record=str(record),
        )


def told(error: BaseException) -> str:
    """What went wrong, and where, in one line."""
    where = ""
    if frames := traceback.extract_tb(error.__traceback__):
        where = f" ({Path(frames[-1].filename).name} line {frames[-1].lineno})"
    try:
        text = " ".join(str(error).split())
    except Exception:  # noqa: BLE001 - an exception of a stranger's may not even have a text
        text = ""
    return f"{type(error).__name__}: {text}"[:_LONGEST_DETAIL] + where
