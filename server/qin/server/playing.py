"""What players do while a game is on, and what the server does when they do nothing."""

from __future__ import annotations

from dataclasses import replace

from qin.engine import ParseError, Placement, Refused, Seat
from qin.server import wire
from qin.server.callers import Caller, same
from qin.server.draft import Draft
from qin.server.frames import fields, number_field
from qin.server.model import State
from qin.server.problems import Problem, refuse
from qin.server.table import Table
from qin.v1 import play_pb2 as play
from qin.v1 import types_pb2 as pb


def place_tile(draft: Draft, caller: Caller, request: play.PlaceTileRequest) -> bytes:
    """The answer is a PlaceTileResponse; see `frames`."""
    seat = seat_of(draft, caller)
    game = draft.running_game()
    if game.outcome is None:
        _check_not_stale(draft, request.expected_game, request.expected_ply)
    placement = _placement(request.placement)
    pile = request.pile - 1 if request.pile else None
    try:
        legal = game.check(seat, placement, pile)
    except Refused as refused:
        raise Problem.of(refused) from None
    if not draft.data.stands_in(seat, caller.token):
        stand_in_ends(draft, seat)
    draft.advance(*game.place(legal, pile))
    return number_field(play.PlaceTileResponse.PLY_FIELD_NUMBER, draft.running_game().ply) + fields(
        play.PlaceTileResponse.EVENTS_FIELD_NUMBER, draft.batch().bodies_for(seat)
    )


def resign(draft: Draft, caller: Caller, request: play.ResignRequest) -> bytes:
    """The answer is a ResignResponse."""
    seat = own_seat_of(draft, caller)
    game = draft.running_game()
    if game.outcome is None and request.expected_game:
        _check_not_stale(draft, request.expected_game, game.ply)
    withdraw(draft, seat, forfeit=False)
    return fields(play.ResignResponse.EVENTS_FIELD_NUMBER, draft.batch().bodies_for(seat))


def withdraw(draft: Draft, seat: Seat, *, forfeit: bool) -> None:
    try:
        draft.advance(*draft.running_game().withdraw(seat, forfeit=forfeit))
    except Refused as refused:
        raise Problem.of(refused) from None


def say(draft: Draft, caller: Caller, request: play.SayRequest, longest: int) -> play.SayResponse:
    text = request.text
    if not 1 <= len(text) <= longest or not text.isprintable() or not text.strip():
        refuse(
            "BAD_TEXT",
            f"say 1 to {longest} characters on one line, without control characters",
            longest=longest,
        )
    token = caller.needs_token()
    seat = draft.data.chair_of(token)
    if seat is None and not same(token, draft.data.owner):
        refuse("NOT_SEATED", "only seated players and the owner of the table may speak")
    if seat is None:
        name = draft.data.owner_name
    elif draft.data.stands_in(seat, token):
        name = draft.data.chairs[seat].stand_in
    else:
        name = draft.data.chairs[seat].name
        stand_in_ends(draft, seat)
    said = pb.Said(seat=0 if seat is None else seat + 1, name=name, text=text)
    return play.SayResponse(sequence=draft.tell(pb.Event(said=said)).sequence)


def list_placements(table: Table, caller: Caller, request: play.ListPlacementsRequest) -> bytes:
    """The answer is a ListPlacementsResponse, which looks on the wire as `Options` do."""
    seat = table.data.chair_of(caller.needs_token())
    if seat is None:
        refuse("NOT_SEATED", "only a seated player has placements")
    if table.game is None:
        refuse("NO_GAME", "no game has started at this table yet")
    if table.game.outcome or table.game.turn != seat:
        return play.ListPlacementsResponse(ply=table.game.ply).SerializeToString()
    return table.options(request.effects)


def preview_placement(
    table: Table, caller: Caller, request: play.PreviewPlacementRequest
) -> play.PreviewPlacementResponse:
    seat = table.data.chair_of(caller.needs_token())
    if seat is None:
        refuse("NOT_SEATED", "only a seated player has placements")
    game = table.game
    if game is None:
        refuse("NO_GAME", "no game has started at this table yet")
    placement = _placement(request.placement)
    try:
        legal = game.check(seat, placement)
    except Refused as refused:
        raise Problem.of(refused) from None
    return play.PreviewPlacementResponse(ply=game.ply, option=wire.option(game, legal))


# ---- time and absence --------------------------------------------------------------------------


def forfeit(draft: Draft, seat: Seat) -> None:
    """A seat is out, by the clock or by staying away; not if it is out already, or all is over."""
    game = draft.game
    if game is not None and game.outcome is None and seat not in game.out:
        withdraw(draft, seat, forfeit=True)


def play_on(
    draft: Draft, seat: Seat, name: str, token: bytes, offered: str, *, out_of_time: bool
) -> None:
    """A bot stands in for an absent player, or takes the chair of a bot that is gone."""
    chair = draft.data.chairs[seat]
    if chair.bot:
        chair = replace(chair, token=token, offered=offered)
    else:
        chair = replace(chair, stand_in=name, stand_in_token=token, offered=offered)
        draft.tell(pb.Event(stand_in=pb.StandIn(seat=seat + 1, bot=name)))
    draft.data = draft.data.with_chair(seat, chair)
    if out_of_time and draft.clock is not None:
        draft.clock = draft.clock.anew(seat)
        draft.clock_restarts = True


def stand_in_ends(draft: Draft, seat: Seat) -> None:
    """The player is back, or who stood in for him has had enough of it."""
    chair = draft.data.chairs[seat]
    if chair.stand_in_token:
        without = replace(chair, stand_in="", stand_in_token=b"", offered="")
        draft.data = draft.data.with_chair(seat, without)
        draft.tell(pb.Event(stand_in=pb.StandIn(seat=seat + 1)))


def next_game(draft: Draft) -> None:
    """The pause between two games of a series is over."""
    if draft.data.state is State.PLAYING and draft.game is not None and draft.game.outcome:
        draft.start_game()


# ---- looking -----------------------------------------------------------------------------------


def seat_of(draft: Draft, caller: Caller) -> Seat:
    seat = draft.data.chair_of(caller.needs_token())
    if seat is None:
        refuse("NOT_SEATED", "this token has no seat at the table; join it first")
    return seat


def own_seat_of(draft: Draft, caller: Caller) -> Seat:
    """The seat, for what only the player whose seat it is may do."""
    seat = seat_of(draft, caller)
    if draft.data.stands_in(seat, caller.token):
        refuse("ONLY_STANDS_IN", "who stands in for a player may not decide that for him")
    stand_in_ends(draft, seat)
    return seat


def _placement(text: str) -> Placement:
    try:
        return Placement.parse(text)
    except ParseError as error:
        raise Problem("BAD_PLACEMENT", str(error)) from None


def _check_not_stale(draft: Draft, game: int, ply: int) -> None:
    running = draft.running_game()
    number = draft.data.game_number(running)
    if (game or number, ply) != (number, running.ply):
        refuse(
            "STALE_PLY",
            f"the table is at ply {running.ply} of game {number}, not {ply} of {game or number}",
            ply=running.ply,
            game=number,
        )
