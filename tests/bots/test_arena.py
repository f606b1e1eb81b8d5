"""One game between bots of one process."""

from __future__ import annotations

from random import Random

import pytest
from bots.tables import BIRD, LION, TRICKY_BOARDS, bots, played
from engine.drawn import tiles
from qin.bots import Bot, Options
from qin.bots.arena import Choice, IllegalAnswer, play
from qin.bots.builtin.random import RandomBot
from qin.engine import Board, Deal, LegalPlacement, Placement, Record, Seat, View, parse_record


class Witness(RandomBot):
    """Plays at random and keeps what it was shown."""

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self.told: list[tuple[str, View]] = []

    def game_starts(self, view: View) -> None:
        self.told.append(("starts", view))

    def choose(self, view: View, options: Options) -> LegalPlacement:
        self.told.append(("choose", view))
        return super().choose(view, options)

    def game_ended(self, view: View) -> None:
        self.told.append(("ended", view))


class Answers(Bot):
    """Gives one answer, whatever it is shown."""

    def __init__(self, answer: object) -> None:
        super().__init__(Random(1))
        self.answer = answer

    def choose(self, view: View, options: Options) -> LegalPlacement:
        del view, options
        return self.answer  # type: ignore[return-value]


class Scripted(Bot):
    """Makes its placements in order, and fails if it is asked for more."""

    def __init__(self, *script: str) -> None:
        super().__init__(Random(1))
        self.script = list(script)

    def choose(self, view: View, options: Options) -> LegalPlacement:
        del options
        return view.position.check(Placement.parse(self.script.pop(0)))


def placements_in(record: Record) -> int:
    return sum(move[0] in "RYB" for moves in record.rounds for move in moves)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("board", [BIRD, LION, *TRICKY_BOARDS], ids=lambda board: board.name)
def test_a_game_is_played_to_its_end_and_its_record_replays(board: Board, players: int) -> None:
    game, record = played(board, *["random"] * players)
    assert game.outcome
    assert record.outcome == game.outcome
    assert record.reserves == game.position.reserves
    assert parse_record(str(record)) == record


def test_the_same_bots_with_the_same_seeds_play_the_same_game() -> None:
    assert played(BIRD, "greedy", "random") == played(BIRD, "greedy", "random")
    assert played(BIRD, "greedy", "random") != played(BIRD, "greedy", "random", seed="2")


def test_the_first_seat_begins() -> None:
    deal = Deal.shuffled(3, Random(1))
    game, record = play(BIRD, deal, bots("random", "random", "random"), first=Seat(2))
    assert record.first == 2
    assert record.deal == deal
    assert game.outcome


def test_names_are_those_of_the_record() -> None:
    deal = Deal.shuffled(2, Random(1))
    named = play(BIRD, deal, bots("random", "random"), first=Seat(0), names=["Ada", "Bo"])
    assert named.record.seats == ("Ada", "Bo")
    assert len(set(played(BIRD, "random", "random").record.seats)) == 2


def test_bots_are_shown_their_own_views_from_start_to_end() -> None:
    witnesses = [Witness(Random(seat)) for seat in range(3)]
    game, _ = play(LION, Deal.shuffled(3, Random(1)), witnesses, first=Seat(0))
    for seat, witness in enumerate(witnesses):
        hooks = [hook for hook, _ in witness.told]
        assert hooks == ["starts", *["choose"] * (len(hooks) - 2), "ended"]
        assert all(type(view) is View and view.seat == seat for _, view in witness.told)
        assert witness.told[0][1].ply == 0
        assert all(view.turn == seat for hook, view in witness.told if hook == "choose")
        assert witness.told[-1][1].outcome == game.outcome


def test_each_choice_is_told_with_its_time() -> None:
    choices: list[Choice] = []
    deal = Deal.shuffled(2, Random(1))
    _, record = play(BIRD, deal, bots("random", "greedy"), first=Seat(0), noticed=choices.append)
    assert len(choices) == placements_in(record)
    assert [choice.seat for choice in choices[:4]] == [0, 1, 0, 1]
    assert all(choice.seconds >= 0 for choice in choices)
    assert all(choice.placement in choice.view.legal for choice in choices)


def test_nobody_is_asked_who_must_pass() -> None:
    """After two placements red fits nowhere any more: it would join what is tied."""
    red, blue = tiles("RR RR RR"), tiles("RR BB BB")
    deal = Deal((red, blue), (tiles("RR BB"), (), (), ()))
    scripted = [Scripted("Rb1Rc1"), Scripted("Rf1Rg1", "Bd1Be1")]
    game, record = play(Board.parse("R......R"), deal, scripted, first=Seat(0))
    assert record.rounds == (("Rb1Rc1:1", "Rf1Rg1:1"), ("pass", "Bd1Be1"))
    assert game.position.full
    assert not any(bot.script for bot in scripted)


@pytest.mark.parametrize(
    "answer", [None, "Rc4Yd4", Placement.parse("Ra1Ra2"), Placement.parse("Rz9Rz9")], ids=str
)
def test_an_illegal_answer_is_named(answer: object) -> None:
    answering: list[Bot] = [RandomBot(Random(1)), Answers(answer)]
    with pytest.raises(IllegalAnswer, match="Answers on seat 2 answered") as caught:
        play(BIRD, Deal.shuffled(2, Random(1)), answering, first=Seat(0))
    assert caught.value.seat == 1


def test_there_is_a_bot_for_every_hand() -> None:
    with pytest.raises(ValueError, match="3 hands are dealt, here are 2 bots"):
        play(BIRD, Deal.shuffled(3, Random(1)), bots("random", "random"), first=Seat(0))
