"""Somebody else plays a seat on: bots are asked to come, and sit down with their tickets."""

from __future__ import annotations

from qin.engine import Seat
from qin.server import playing, seating
from qin.server.callers import Caller, same
from qin.server.draft import Draft
from qin.server.errands import Errands
from qin.server.logs import log
from qin.server.offers import Offers
from qin.server.problems import Problem, refuse
from qin.server.table import Table
from qin.server.vacancy import Vacancy
from qin.v1 import lobby_pb2 as lobby
from qin.v1 import types_pb2 as pb


class Replacing:
    """What becomes of seats whose time has run out, or whose player stays away."""

    def __init__(self, offers: Offers, errands: Errands) -> None:
        self._offers = offers
        self._errands = errands

    def ask(self, draft: Draft, table: Table, seat: Seat, name: str) -> None:
        """A bot of a name is to sit down on a free seat, once the store has that wish."""
        draft.expected[seat] = self._offers.named(name).name

        def did_not_come() -> None:
            log("bot did not come", table=table.data.table_id, seat=seat + 1)
            table.expect(seat, "")

        def hand() -> None:
            try:
                offer = self._offers.named(name)
            except Problem:  # it has gone meanwhile, or was sent elsewhere
                table.awaited.pop(seat, None)
            else:
                self._offers.hand(offer, table.data.table_id, seat, None, did_not_come)

        draft.afterwards.append(hand)

    def sit_down(
        self, draft: Draft, table: Table, caller: Caller, request: lobby.JoinTableRequest
    ) -> Seat:
        """A bot comes with its ticket: for a free seat, or to play on for who is gone."""
        token = caller.needs_token()
        ticket = self._offers.ticket(request.ticket, request.table_id)
        seat, vacancy = ticket.seat, ticket.vacancy
        known = draft.data.chair_of(token)
        # A bot that had lost its connection may be asked to play on for itself.
        itself = vacancy is not None and same(vacancy.player, token)
        if known is not None and not (known == seat and itself):
            refuse("TICKET_WRONG", "who has a seat here already needs no ticket")
        if vacancy is None:
            seating.join(draft, caller, request, (), ticket)
        else:
            seating.check_name(request.name)
            if not vacancy.holds(table):
                refuse("TICKET_WRONG", "whoever plays this seat is back")
            late = vacancy.out_of_time(table)
            playing.play_on(draft, seat, request.name, token, ticket.bot, out_of_time=late)
        draft.expected[seat] = ""

        def sits() -> None:
            self._offers.use(request.ticket, ticket, token)
            if vacancy is not None and vacancy.turn is None and table.connected(seat):
                self.player_is_back(table, seat)  # while the store was at work

        draft.afterwards.append(sits)
        return seat

    def player_is_back(self, table: Table, seat: Seat) -> None:
        """Nobody stands in for him any more."""
        if table.data.chairs[seat].stand_in_token:
            self._errands.start(
                lambda: table.happen(lambda draft: playing.stand_in_ends(draft, seat))
            )

    async def replace(self, table: Table, vacancy: Vacancy) -> None:
        """A bot plays on, where the table wants that or a bot has played before; or it forfeits."""
        chair = table.data.chairs[vacancy.seat]
        if chair.played_by_bot:
            wanted = not table.audience.has(chair.player)
        else:
            wanted = table.data.settings.absence == pb.ABSENCE_HOUSE_BOT
        if not (wanted and self.hand_to_bot(table, vacancy)):
            await self._forfeit(table, vacancy)

    def hand_to_bot(self, table: Table, vacancy: Vacancy) -> bool:
        """Offer a seat to a bot; tells whether there is one."""
        offer = self._offers.like(table.data.chairs[vacancy.seat].offered)
        if offer is None:
            return False

        def expired() -> None:
            self._errands.start(lambda: self._bot_stays_away(table, vacancy))

        self._offers.hand(offer, table.data.table_id, vacancy.seat, vacancy, expired)
        table.expect(vacancy.seat, offer.name)
        return True

    def drop_what_is_not_called_for(self, table: Table) -> None:
        """The player is back, or has moved: no bot is to come in his place."""
        for ticket in self._offers.tickets(table.data.table_id):
            if ticket.vacancy is not None and not ticket.vacancy.holds(table):
                self._offers.cancel(ticket.table_id, ticket.seat)
                table.expect(ticket.seat, "")

    async def _bot_stays_away(self, table: Table, vacancy: Vacancy) -> None:
        log("bot did not come", table=table.data.table_id, seat=vacancy.seat + 1)
        if vacancy.final:
            await self._forfeit(table, vacancy)
        table.expect(vacancy.seat, "")

    async def _forfeit(self, table: Table, vacancy: Vacancy) -> None:
        def command(draft: Draft) -> None:
            if vacancy.holds(table):
                playing.forfeit(draft, vacancy.seat)

        await table.happen(command)
