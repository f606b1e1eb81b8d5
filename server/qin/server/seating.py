"""What happens before and after a game: create, join, leave, bots, start, rematch."""

from __future__ import annotations

import secrets
from collections.abc import Container
from dataclasses import replace

from qin.engine import (
    SEATS,
    Board,
    Deal,
    FirstSeat,
    ParseError,
    QinError,
    Seat,
    Series,
    distinct_names,
    name_problem,
)
from qin.engine.deal import deal_problem
from qin.engine.shuffle import NONCE_BYTES, SALT_BYTES, Stream
from qin.engine.tiles import parse_tiles
from qin.server.callers import Caller, hashed, same
from qin.server.draft import Draft
from qin.server.model import Chair, GivenDeal, State, TableData
from qin.server.offers import Ticket
from qin.server.options import Limits, Options
from qin.server.playing import own_seat_of, seat_of, stand_in_ends, withdraw
from qin.server.problems import refuse
from qin.v1 import lobby_pb2 as lobby
from qin.v1 import types_pb2 as pb

FIRST_SEATS = {
    pb.FIRST_SEAT_UNSPECIFIED: FirstSeat.LOT,
    pb.FIRST_SEAT_BY_LOT: FirstSeat.LOT,
    pb.FIRST_SEAT_NAMED: FirstSeat.NAMED,
    pb.FIRST_SEAT_YOUNGEST: FirstSeat.YOUNGEST,
}


# ---- creating ----------------------------------------------------------------------------------


def new_table(
    table_id: str, now: float, caller: Caller, request: lobby.CreateTableRequest, options: Options
) -> TableData:
    settings, limits = request.settings, options.limits
    _check_settings(settings, limits)
    if request.name:
        check_name(request.name)
    if len(request.invite_code) > limits.code_length:
        refuse("BAD_SETTINGS", f"an invite code has at most {limits.code_length} characters")
    board = _board(settings)
    kept = pb.TableSettings()
    kept.CopyFrom(settings)
    kept.DiscardUnknownFields()  # what nobody has looked at
    if settings.map:
        kept.map = board.map  # as it was understood: nothing else of the text goes on to others
    if request.deals and not options.allow_deals:
        refuse("DEALS_NOT_ALLOWED", "this server shuffles; only one with --allow-deals takes deals")
    if request.deals and len(request.deals) != (settings.games or 1):
        refuse("BAD_DEAL", f"{len(request.deals)} deals for {settings.games or 1} games")
    return TableData(
        table_id=table_id,
        created=now,
        owner=caller.needs_token(),
        owner_name=request.name or "owner",
        address="" if caller.local else caller.address,
        settings=kept,
        board=board,
        code=hashed(request.invite_code),
        salt=secrets.token_bytes(SALT_BYTES),
        chairs=(Chair(),) * settings.seats,
        series=Series(settings.seats, Seat(0)),
        deals=tuple(_given(deal, settings.seats) for deal in request.deals),
    )


def _check_settings(settings: pb.TableSettings, limits: Limits) -> None:
    clock = settings.clock
    seconds = (
        clock.move_seconds,
        clock.total_seconds,
        clock.increment_seconds,
        settings.absence_seconds,
        settings.pause_seconds,
    )
    for wrong, problem in (
        (settings.seats not in SEATS, f"2 to 4 play Qin, not {settings.seats}"),
        (settings.games > limits.games, f"a series has at most {limits.games} games"),
        (max(seconds) > limits.seconds, f"times are at most {limits.seconds} seconds"),
        (clock.move_seconds and clock.total_seconds, "time for a move or for a game, not both"),
        (clock.increment_seconds and not clock.total_seconds, "an increment needs total_seconds"),
        (settings.first not in FIRST_SEATS, f"there is no way {settings.first} to start"),
        (settings.absence not in pb.Absence.values(), f"there is no absence {settings.absence}"),
        (
            settings.first == pb.FIRST_SEAT_NAMED
            and not 1 <= settings.first_seat <= settings.seats,
            f"first_seat {settings.first_seat} is no seat at a table of {settings.seats}",
        ),
    ):
        if wrong:
            refuse("BAD_SETTINGS", problem)


def _board(settings: pb.TableSettings) -> Board:
    if settings.WhichOneof("board") is None:
        refuse("BAD_BOARD", "name a board, or give a map")
    try:
        return Board.parse(settings.map) if settings.map else Board.named(settings.board_name)
    except ParseError as error:
        refuse("BAD_BOARD", str(error))


def _given(given: lobby.GivenDeal, players: int) -> GivenDeal:
    try:
        hands = tuple(parse_tiles(part) for part in given.hands.split("/"))
        piles = tuple(parse_tiles(part) for part in given.piles.split("/"))
    except QinError as error:
        refuse("BAD_DEAL", str(error))
    deal = Deal(hands, piles)
    if problem := deal_problem(deal, players):
        refuse("BAD_DEAL", ": ".join(problem))
    if not 1 <= given.first <= players:
        refuse("BAD_DEAL", f"{given.first} is no seat at a table of {players}")
    return GivenDeal(deal, Seat(given.first - 1))


# ---- seats -------------------------------------------------------------------------------------


def join(
    draft: Draft,
    caller: Caller,
    request: lobby.JoinTableRequest,
    awaited: Container[Seat],
    ticket: Ticket | None = None,
) -> Seat:
    """Take a free seat that waits for nobody else, or the one that a ticket opens."""
    data = draft.data
    token = caller.needs_token()
    known = data.chair_of(token)
    if known is not None:
        return known
    if data.state is State.PLAYING:
        refuse("NOT_OPEN", "a game is on at this table")
    if ticket is None and not same(token, data.owner):
        check_code(data, request.invite_code)
    if len(request.nonce) != NONCE_BYTES:
        refuse("BAD_NONCE", f"a nonce has {NONCE_BYTES} bytes, not {len(request.nonce)}")
    check_name(request.name)
    bot = ticket is not None
    if ticket is None:
        seat = free_seat(draft, request.seat, awaited)
    else:
        seat = free_seat(draft, ticket.seat + 1)
    taken = [chair.name for chair in data.chairs if not chair.free]
    chair = Chair(
        name=distinct_names([*taken, request.name])[-1],
        token=token,
        nonce=request.nonce,
        age=min(request.age, 150),
        bot=bot,
        wish=request.nonce if data.state is State.FINISHED else b"",
        offered=ticket.bot if ticket else "",
    )
    draft.data = data.with_chair(seat, chair)
    draft.tell(pb.Event(seat_taken=pb.SeatTaken(seat=seat + 1, name=chair.name, bot=bot)))
    _start_if_all_wish(draft)
    return seat


def free_seat(draft: Draft, wanted: int, awaited: Container[Seat] = ()) -> Seat:
    """The seat that is wanted, or the first that is free and waits for nobody."""
    data = draft.data
    if wanted > data.players:
        refuse("BAD_SEAT", f"there is no seat {wanted} at a table of {data.players}")
    free = [seat for seat in data.free_seats() if seat not in awaited]
    if wanted:
        seat = Seat(wanted - 1)
        if seat not in free:
            refuse("SEAT_TAKEN", f"seat {wanted} is taken")
        return seat
    if not free:
        refuse("NO_FREE_SEAT", "all seats are taken")
    return free[0]


def leave(draft: Draft, caller: Caller) -> None:
    seat = seat_of(draft, caller)
    if draft.data.stands_in(seat, caller.token):
        stand_in_ends(draft, seat)
    elif draft.data.state is State.PLAYING:
        game = draft.running_game()
        stand_in_ends(draft, seat)
        if game.outcome is None and seat not in game.out:
            withdraw(draft, seat, forfeit=False)
    else:
        _free(draft, seat)


def remove(draft: Draft, caller: Caller, number: int) -> Seat:
    check_owner(draft.data, caller)
    if draft.data.state is State.PLAYING:
        refuse("NOT_OPEN", "nobody is removed while a game is on")
    if not 1 <= number <= draft.data.players:
        refuse("BAD_SEAT", f"there is no seat {number} at a table of {draft.data.players}")
    seat = Seat(number - 1)
    if not draft.data.chairs[seat].free:
        _free(draft, seat)
    return seat


def _free(draft: Draft, seat: Seat) -> None:
    draft.data = draft.data.with_chair(seat, Chair())
    draft.tell(pb.Event(seat_left=pb.SeatLeft(seat=seat + 1)))


# ---- starting ----------------------------------------------------------------------------------


def start(draft: Draft, caller: Caller) -> None:
    data = draft.data
    check_owner(data, caller)
    if data.state is not State.OPEN:
        refuse("NOT_OPEN", "the series has started already")
    if free := [str(seat + 1) for seat in data.free_seats()]:
        refuse("SEATS_FREE", f"seats are free: {' '.join(free)}", seats=" ".join(free))
    _start(draft, [chair.nonce for chair in data.chairs])


def rematch(draft: Draft, caller: Caller, nonce: bytes) -> None:
    seat = own_seat_of(draft, caller)
    if draft.data.state is not State.FINISHED:
        refuse("NOT_FINISHED", "a rematch comes after the last game of a series")
    if len(nonce) != NONCE_BYTES:
        refuse("BAD_NONCE", f"a nonce has {NONCE_BYTES} bytes, not {len(nonce)}")
    chair = draft.data.chairs[seat]
    draft.data = draft.data.with_chair(seat, replace(chair, wish=nonce))
    _start_if_all_wish(draft)


def _start_if_all_wish(draft: Draft) -> None:
    wishes = [chair.wish for chair in draft.data.chairs]
    if draft.data.state is State.FINISHED and all(wishes):
        _start(draft, wishes)


def _start(draft: Draft, nonces: list[bytes]) -> None:
    draft.start_series(nonces, _first(draft.data, nonces))


def _first(data: TableData, nonces: list[bytes]) -> Seat:
    """Who starts: the lot comes from salt and nonces, too, as of a game number 0."""
    candidates = list(range(data.players))
    match FIRST_SEATS[data.settings.first]:
        case FirstSeat.NAMED:
            return Seat(data.settings.first_seat - 1)
        case FirstSeat.YOUNGEST:
            ages = [chair.age for chair in data.chairs if chair.age]
            if ages:
                candidates = [n for n in candidates if data.chairs[n].age == min(ages)]
    return Seat(candidates[Stream(data.salt, 0, nonces).below(len(candidates))])


# ---- checking ----------------------------------------------------------------------------------


def check_owner(data: TableData, caller: Caller) -> None:
    if not same(data.owner, caller.needs_token()):
        refuse("NOT_OWNER", "only the owner of the table may do that")


def check_code(data: TableData, code: str) -> None:
    if data.code and not same(data.code, hashed(code) or b"-"):
        refuse("CODE_WRONG", "this table wants its invite code")


def check_name(name: str) -> None:
    if problem := name_problem(name):
        refuse("BAD_NAME", f"{problem}")
