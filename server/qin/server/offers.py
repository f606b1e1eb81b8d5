"""Bots that have offered themselves, and the tickets that open a seat to one of them."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from qin.engine import Seat
from qin.server import wire
from qin.server.callers import hashed
from qin.server.model import State, TableData
from qin.server.problems import refuse
from qin.server.streams import Chunk, Stream
from qin.server.vacancy import Vacancy
from qin.v1 import offer_pb2 as pb


class Offer:
    """A bot that waits for seats."""

    def __init__(
        self, name: str, tournament: str, seats: int, stream: Stream, *, local: bool
    ) -> None:
        self.name = name
        self.tournament = tournament
        self.seats = seats
        """How many it takes at a time; 0 for any number."""
        self.stream = stream
        self.local = local
        """Whether it runs on this machine, as the house's own bots do."""
        self.missed = 0
        """Tickets that it has let expire since it used one."""


@dataclass(slots=True)
class Place:
    """A seat that a bot has, or has a ticket to."""

    offer: Offer
    token: bytes = b""
    """Hash of the token with which it sat down; empty before."""
    resting: bool = False
    """Whether the series is over: it stays for a rematch, but has time for others."""


class Ticket(NamedTuple):
    """Opens one seat to one bot, once."""

    table_id: str
    seat: Seat
    offer: Offer
    vacancy: Vacancy | None
    """Why somebody is to play on there; None for a free seat."""
    before: Place | None
    """Whose place it is if the bot does not sit down."""
    expiry: asyncio.TimerHandle

    @property
    def bot(self) -> str:
        """The name under which the bot has offered itself."""
        return self.offer.name


class Offers:
    """All bots that wait for seats."""

    def __init__(self, ticket_seconds: float) -> None:
        self._seconds = ticket_seconds
        self._offers: list[Offer] = []
        self._tickets: dict[bytes, Ticket] = {}
        self._places: dict[str, dict[Seat, Place]] = {}
        """By table."""
        self.came: Callable[[], None] = lambda: None
        """Is called when there is a bot more."""

    def __iter__(self) -> Iterator[Offer]:
        return iter(self._offers)

    def add(self, offer: Offer) -> None:
        self._offers.append(offer)
        self.came()

    def remove(self, offer: Offer) -> None:
        self._offers.remove(offer)

    def house_bots(self) -> list[str]:
        """The names that can be asked for, each once."""
        return self.names("")

    def names(self, tournament: str) -> list[str]:
        """The names of those who are here for a tournament, each once."""
        return sorted({offer.name for offer in self._offers if offer.tournament == tournament})

    # ---- finding -------------------------------------------------------------------------------

    def named(self, name: str, tournament: str = "") -> Offer:
        """A bot of a name, or of any name if none is given, that takes one more seat.

        Bots that are here for a tournament are there for it alone.
        """
        here = [offer for offer in self._offers if offer.tournament == tournament]
        known = [offer for offer in here if offer.name == (name or offer.name)]
        if not known:
            others = ", ".join(self.names(tournament)) or "none"
            refuse("NO_SUCH_BOT", f"no bot {name!r} waits for a seat; there are: {others}")
        found = self._best(known, name, own_first=False)
        if found is None:
            refuse("BOT_BUSY", f"every bot {name!r} has as many seats as it takes; try again later")
        return found

    def like(self, name: str) -> Offer | None:
        """A bot to play on for another: one of the same name, else any.

        It will see a hand that was dealt to somebody else, and an opponent may have bots, too:
        those of this machine come first.
        """
        here = [offer for offer in self._offers if not offer.tournament]
        return self._best(here, name, own_first=True)

    def _best(self, offers: list[Offer], name: str, *, own_first: bool) -> Offer | None:
        """Who keeps its appointments, has the name, and has the least to do."""
        busy = Counter(
            id(place.offer)
            for places in self._places.values()
            for place in places.values()
            if not place.resting
        )
        willing = [
            offer
            for offer in offers
            if not offer.stream.closed and (not offer.seats or busy[id(offer)] < offer.seats)
        ]
        return min(
            willing,
            key=lambda offer: (
                offer.missed,
                offer.name != name,
                own_first and not offer.local,
                busy[id(offer)],
            ),
            default=None,
        )

    # ---- tickets -------------------------------------------------------------------------------

    def hand(
        self,
        offer: Offer,
        table_id: str,
        seat: Seat,
        vacancy: Vacancy | None,
        expired: Callable[[], None],
    ) -> Ticket:
        """Hand a seat to a bot."""
        secret = secrets.token_hex(16)
        expiry = asyncio.get_running_loop().call_later(self._seconds, self._expire, secret, expired)
        places = self._places.setdefault(table_id, {})
        ticket = Ticket(table_id, seat, offer, vacancy, places.get(seat), expiry)
        self._tickets[hashed(secret)] = ticket
        places[seat] = Place(offer)
        message = pb.OfferResponse(
            seat=pb.SeatOffer(
                table_id=table_id,
                seat=seat + 1,
                ticket=secret,
                expires=wire.timestamp(time.time() + self._seconds),
            )
        )
        offer.stream.put(Chunk(message.SerializeToString(), joinable=False))
        return ticket

    def ticket(self, secret: str, table_id: str) -> Ticket:
        ticket = self._tickets.get(hashed(secret))
        if ticket is None or ticket.table_id != table_id:
            refuse("TICKET_WRONG", "this ticket opens no seat here, or not any more")
        return ticket

    def tickets(self, table_id: str) -> list[Ticket]:
        """Those that open a seat at a table."""
        return [ticket for ticket in self._tickets.values() if ticket.table_id == table_id]

    def use(self, secret: str, ticket: Ticket, token: bytes) -> None:
        """The bot has sat down."""
        self._tickets.pop(hashed(secret), None)
        ticket.expiry.cancel()
        ticket.offer.missed = 0
        # Anew, because the ticket may have expired while the store was at work.
        self._places.setdefault(ticket.table_id, {})[ticket.seat] = Place(ticket.offer, token)

    def cancel(self, table_id: str, seat: Seat | None = None) -> None:
        """Tickets to a seat, or to a table, open nothing any more; the bots are free again."""
        for key, ticket in list(self._tickets.items()):
            if ticket.table_id == table_id and seat in (None, ticket.seat):
                ticket.expiry.cancel()
                del self._tickets[key]
                self._give_back(ticket)

    def _expire(self, secret: str, expired: Callable[[], None]) -> None:
        ticket = self._tickets.pop(hashed(secret), None)
        if ticket is not None:
            ticket.offer.missed += 1
            self._give_back(ticket)
            expired()

    # ---- places --------------------------------------------------------------------------------

    def settle(self, data: TableData) -> None:
        """Take note of who sits at a table: a bot that has left it is free for others."""
        for seat, place in list(self._places.get(data.table_id, {}).items()):
            if place.token:
                place.resting = data.state is State.FINISHED
                if place.token not in data.tokens():
                    self._free(data.table_id, seat)

    def forget(self, table_id: str) -> None:
        """The table is gone."""
        self.cancel(table_id)
        self._places.pop(table_id, None)

    def _give_back(self, ticket: Ticket) -> None:
        if ticket.before is None:
            self._free(ticket.table_id, ticket.seat)
        else:
            self._places[ticket.table_id][ticket.seat] = ticket.before

    def _free(self, table_id: str, seat: Seat) -> None:
        places = self._places.get(table_id, {})
        places.pop(seat, None)
        if not places:
            self._places.pop(table_id, None)
