"""Bots that have offered themselves, and the tickets that open a seat to one of them."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

from qin.engine import Seat
from qin.server import wire
from qin.server.callers import hashed
from qin.server.problems import refuse
from qin.server.streams import Chunk, Stream
from qin.v1 import offer_pb2 as pb


class Ticket(NamedTuple):
    """Opens one seat to one bot, once."""

    table_id: str
    seat: Seat
    bot: str
    stand_in: bool
    """Whether it plays for an absent player, rather than on a seat of its own."""
    expiry: asyncio.TimerHandle


class Offer:
    """A bot that waits for seats."""

    def __init__(self, name: str, tournament: str, seats: int, stream: Stream) -> None:
        self.name = name
        self.tournament = tournament
        self.seats = seats
        self.stream = stream
        self.held: set[tuple[str, Seat]] = set()

    @property
    def has_room(self) -> bool:
        return not self.stream.closed and (not self.seats or len(self.held) < self.seats)


class Offers:
    """All bots that wait for seats."""

    def __init__(self, ticket_seconds: float) -> None:
        self._seconds = ticket_seconds
        self._offers: list[Offer] = []
        self._tickets: dict[bytes, Ticket] = {}

    def __iter__(self) -> Iterator[Offer]:
        return iter(self._offers)

    def add(self, offer: Offer) -> None:
        self._offers.append(offer)

    def remove(self, offer: Offer) -> None:
        self._offers.remove(offer)

    def house_bots(self) -> list[str]:
        """The names that can be asked for, each once."""
        return self.names("")

    def names(self, tournament: str) -> list[str]:
        """The names of those who are here for a tournament, each once."""
        return sorted({offer.name for offer in self._offers if offer.tournament == tournament})

    def hand_seat(
        self,
        name: str,
        table_id: str,
        seat: Seat,
        *,
        tournament: str = "",
        stand_in: bool,
        expired: Callable[[Ticket], None],
    ) -> Ticket:
        """Hand a seat to the least busy bot of a name, or of any name if none is given.

        Bots that are here for a tournament are there for it alone.
        """
        willing = [
            offer
            for offer in self._offers
            if offer.name == (name or offer.name)
            and offer.tournament == tournament
            and offer.has_room
        ]
        if not willing:
            known = ", ".join(self.names(tournament)) or "none"
            refuse("NO_SUCH_BOT", f"no bot {name!r} waits for a seat; there are: {known}")
        offer = min(willing, key=lambda each: len(each.held))
        secret = secrets.token_hex(16)
        expiry = asyncio.get_running_loop().call_later(self._seconds, self._expire, secret, expired)
        ticket = Ticket(table_id, seat, offer.name, stand_in, expiry)
        self._tickets[hashed(secret)] = ticket
        offer.held.add((table_id, seat))
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

    def use(self, secret: str) -> None:
        ticket = self._tickets.pop(hashed(secret), None)
        if ticket is not None:
            ticket.expiry.cancel()

    def release(self, table_id: str, seat: Seat | None = None) -> None:
        """The bots that held a seat, or any seat of a table, are free again."""
        for offer in self._offers:
            offer.held -= {
                held for held in offer.held if held[0] == table_id and seat in (None, held[1])
            }

    def cancel(self, table_id: str, seat: Seat | None = None) -> None:
        """Tickets to a seat, or to a table, open nothing any more."""
        for key, ticket in list(self._tickets.items()):
            if ticket.table_id == table_id and seat in (None, ticket.seat):
                ticket.expiry.cancel()
                del self._tickets[key]

    def _expire(self, secret: str, expired: Callable[[Ticket], None]) -> None:
        ticket = self._tickets.pop(hashed(secret), None)
        if ticket is not None:
            self.release(ticket.table_id, ticket.seat)
            expired(ticket)
