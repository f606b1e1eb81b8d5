"""The results so far, read in the order of the games, whatever order they came in.

Everything that depends on results is decided here and by whole deals: who is withdrawn, whether the
sequential test is over, what the next round is. So it does not matter how many games are played at
a time, nor how often a tournament is interrupted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from qin.bots.tournament.games import Result
from qin.bots.tournament.rounds import next_round, rounds_survived
from qin.bots.tournament.schedule import Group, Past, Standing, games_a_deal
from qin.bots.tournament.settings import Format, Settings
from qin.bots.tournament.sprt import SprtState, SprtTest


@dataclass(frozen=True, slots=True)
class Played:
    """A deal that has been played in all its orders."""

    group: Group
    results: tuple[Result, ...]


class Ledger:
    """Takes results in any order, and knows what is to be played next."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.accepted: list[Played] = []
        """What counts, in the order of the games."""
        self.withdrawn: dict[int, int] = {}
        """Bots that were withdrawn, each with the deal after which."""
        self.sprt: SprtState | None = None
        self.over = False
        """Whether all that counts has been played."""
        self.standings: dict[int, Standing] = defaultdict(Standing)
        self._faults: dict[int, int] = defaultdict(int)
        self._number = {name: number for number, name in enumerate(settings.names)}
        each = games_a_deal(settings, settings.players)
        self._test = SprtTest(settings.sprt, each) if settings.sprt else None
        self._rounds: list[tuple[Group, ...]] = []
        self._by_round: list[dict[int, Standing]] = []
        self._group_of: dict[int, Group] = {}
        self._waiting: dict[int, dict[int, Result]] = defaultdict(dict)
        """By deal: results that have come in and are not accepted yet."""
        self._front = 0
        """The first deal of this round that is not decided."""
        self._draw_round()

    # ---- asking --------------------------------------------------------------------------------

    @property
    def results(self) -> Iterator[Result]:
        """What counts, in the order of the games."""
        return (result for played in self.accepted for result in played.results)

    @property
    def faults(self) -> Mapping[int, int]:
        """By bot."""
        return self._faults

    @property
    def round(self) -> Sequence[Group]:
        """The deals of the round that is on."""
        return self._rounds[-1] if self._rounds else ()

    @property
    def rounds(self) -> Sequence[Sequence[Group]]:
        return self._rounds

    def expects(self, result: Result) -> bool:
        """Whether a result is one of a game that is, or was, to be played."""
        group = self._group_of.get(result.deal)
        if group is None or result.game not in group.games:
            return False
        order = group.orders[result.game - group.first_game]
        seats = tuple(self.settings.names[bot] for bot in order)
        return (result.seats, result.board) == (seats, group.ground.name)

    def group(self, deal: int) -> Group | None:
        """A deal by its number, if it is of a round that is on or over."""
        return self._group_of.get(deal)

    def knows(self, group: Group) -> bool:
        """Whether a deal has been played in all its orders."""
        return len(self._waiting[group.deal]) == len(group.orders)

    @property
    def ahead(self) -> list[Result]:
        """What has been played before its turn, and may yet count."""
        return [
            result
            for group in self.open_groups()
            if self.knows(group)
            for result in self._waiting[group.deal].values()
        ]

    def cancelled(self, group: Group) -> bool:
        """Whether a deal is not played because one of its bots is withdrawn."""
        return any(
            bot in self.withdrawn and self.withdrawn[bot] < group.deal for bot in group.pairing
        )

    def open_groups(self) -> Iterator[Group]:
        """What is still to be decided in this round, in order."""
        if self.over:
            return
        for group in self.round[self._front :]:
            if not self.cancelled(group):
                yield group

    @property
    def games_decided(self) -> int:
        return sum(len(played.results) for played in self.accepted)

    def survived(self) -> Mapping[int, int]:
        """By bot, the rounds of a knockout that it has come through; of other formats, none."""
        if self.settings.format is not Format.KNOCKOUT:
            return {}
        complete = len(self._rounds) - (not self.over)
        return rounds_survived(self.settings, self._past(complete))

    # ---- taking in -----------------------------------------------------------------------------

    def add(self, result: Result) -> Played | None:
        """Take a result in; tells when it was the last one on its deal."""
        group = self._group_of[result.deal]
        waiting = self._waiting[result.deal]
        waiting[result.game] = result
        if len(waiting) < len(group.orders):
            return None
        played = Played(group, tuple(waiting[game] for game in group.games))
        # The records are written now; here only the results are needed.
        self._waiting[result.deal] = {each.game: each.without_record() for each in played.results}
        self._advance()
        return played

    def _advance(self) -> None:
        """Decide as many deals as are complete, from the front."""
        while not self.over:
            if self._front == len(self.round):
                self._draw_round()
                continue
            group = self.round[self._front]
            if not self.cancelled(group):
                waiting = self._waiting[group.deal]
                if len(waiting) < len(group.orders):
                    return
                self._accept(Played(group, tuple(waiting[game] for game in group.games)))
            self._front += 1

    def _draw_round(self) -> None:
        groups = next_round(self.settings, self._past(len(self._rounds)))
        if groups is None:
            self.over = True
            return
        self._rounds.append(tuple(groups))
        self._by_round.append(defaultdict(Standing))
        self._group_of |= {group.deal: group for group in groups}
        self._front = 0

    def _past(self, rounds: int) -> Past:
        return Past(
            tuple(self._rounds[:rounds]),
            self.standings,
            tuple(self._by_round[:rounds]),
            self.withdrawn,
        )

    def _accept(self, played: Played) -> None:
        self.accepted.append(played)
        for result in played.results:
            for seat, name in enumerate(result.seats):
                bot = self._number[name]
                for table in (self.standings, self._by_round[-1]):
                    before = table[bot]
                    table[bot] = replace(
                        before,
                        points=before.points + result.points(seat),
                        games=before.games + 1,
                        left=before.left + result.reserves[seat],
                    )
            for fault in result.faults:
                self._faults[self._number[result.seats[fault.seat - 1]]] += 1
        for bot in played.group.pairing:
            if 0 < self.settings.faults <= self._faults[bot] and bot not in self.withdrawn:
                self.withdrawn[bot] = played.group.deal
        if self._test:
            self.sprt = self._test.add(_first_bots_score(played))
            self.over = self.sprt.verdict is not None


def _first_bots_score(played: Played) -> float:
    scores = [
        result.points(order.index(0))
        for result, order in zip(played.results, played.group.orders, strict=True)
    ]
    return sum(scores) / len(scores)
