"""Nobody is sent what he may not see: not in a snapshot, an event, an option, an error, a log.

Whole games are played twice, with the same public play but other tiles where one viewer has not
looked. Every byte that this viewer is sent must be the same. Time stands still, and the names of
the table and of the record, which are drawn by lot, are replaced; there are no other exceptions.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from random import Random
from types import SimpleNamespace

import pytest
from google.protobuf.message import Message
from qin.engine import Deal, Game, Seat, View, view_of
from qin.v1 import lobby_pb2, session_pb2, types_pb2, watch_pb2
from server.retelling import Story, games, retold, story
from server.taping import Tape, tape

SEED = 0
VIEWERS = [(players, seat) for players in (2, 3, 4) for seat in (*map(Seat, range(players)), None)]
KINDS: dict[str, type[Message]] = {
    "watch": watch_pb2.WatchResponse,
    "lobby": lobby_pb2.WatchTablesResponse,
    "session": session_pb2.ConnectResponse,
}


@pytest.fixture(autouse=True)
def _time_stands_still(monkeypatch: pytest.MonkeyPatch) -> None:
    """For the server; gRPC needs a clock that goes on."""
    still = SimpleNamespace(
        **{name: getattr(time, name) for name in dir(time) if not name.startswith("_")}
        | {"time": lambda: 1_700_000_000.25}
    )
    for name, module in list(sys.modules.items()):
        if name.startswith("qin.server.") and getattr(module, "time", None) is time:
            monkeypatch.setattr(module, "time", still)


def cuts(told: Story) -> tuple[int, int, int]:
    """When to stop: before the first act, in the middle, at the end."""
    return 0, len(told.acts) // 3, len(told.acts)


def pokes(told: Story) -> set[int]:
    """When to ask for everything."""
    return {*cuts(told), *range(4, len(told.acts), 9)}


def second_deal(told: Story, seed: int) -> Deal:
    """Of the next game, of which nothing at all is known yet."""
    return Deal.shuffled(told.players, Random(seed))


def assert_the_same(one: Tape, other: Tape, cut: int) -> None:
    """The second tape ends at the cut; up to there both have the same bytes."""
    mark = one.marks[cut]
    assert mark == other.marks[cut]
    assert len(other.moments) == mark.moments
    assert one.moments[: mark.moments] == other.moments
    for name, heard in other.streams.items():
        assert heard, name
        assert one.streams[name].startswith(heard), name


async def tape_both(
    told: Story, viewer: Seat | None, cut: int, *, metrics: bool = False
) -> tuple[Tape, Tape]:
    """The story up to a moment as it was, and with other tiles."""
    part = told._replace(acts=told.acts[:cut])
    deal, moments = retold(told, viewer, cut), pokes(told)
    one = (told.deal, second_deal(told, 1))
    other = (deal, second_deal(told, 2))
    return (
        await tape(part, one, viewer, moments, metrics=metrics),
        await tape(part, other, viewer, moments, metrics=metrics),
    )


@pytest.mark.parametrize(("players", "viewer"), VIEWERS)
async def test_what_is_unseen_changes_no_byte(players: int, viewer: Seat | None) -> None:
    told = story(players, SEED)
    whole = await tape(told, (told.deal, second_deal(told, 1)), viewer, pokes(told))
    assert_nothing_is_told(whole, told, viewer)
    for cut in cuts(told):
        part = told._replace(acts=told.acts[:cut])
        other = (retold(told, viewer, cut), second_deal(told, 2))
        assert_the_same(whole, await tape(part, other, viewer, pokes(told)), cut)


@pytest.mark.parametrize(("players", "viewer"), [(2, Seat(1)), (3, Seat(0)), (4, None)])
async def test_figures_and_logs_tell_nothing(players: int, viewer: Seat | None) -> None:
    told = story(players, SEED + 1)
    cut = len(told.acts)
    one, other = await tape_both(told, viewer, cut, metrics=True)
    assert_the_same(one, other, cut)
    assert "PlayService/PlaceTile" in one.marks[cut].metrics
    assert "table created" in one.marks[cut].logs


# ---- what is in the messages -------------------------------------------------------------------


def walk(message: Message) -> Iterator[Message]:
    """A message and all messages in it."""
    yield message
    for field, value in message.ListFields():
        if field.message_type is None or field.message_type.GetOptions().map_entry:
            continue
        for part in value if field.is_repeated else (value,):
            yield from walk(part)


def assert_nothing_is_told(taped: Tape, told: Story, viewer: Seat | None) -> None:
    """Every hand is one's own, every tile drawn was drawn by oneself, nothing is missing."""
    played = games(told)
    number = 0 if viewer is None else viewer + 1
    for moment in taped.moments:
        if moment.kind is not None:
            for part in walk(moment.kind.FromString(moment.body)):
                assert_own(part, number, told)
                if isinstance(part, types_pb2.GameView):
                    assert_hand(part, played[moment.act], viewer)
    for name, heard in taped.streams.items():
        for part in walk(KINDS[name].FromString(heard)):
            assert_own(part, number, told)
    events = watch_pb2.WatchResponse.FromString(taped.streams["watch"]).events
    first = events[0].sequence
    assert [event.sequence for event in events] == list(range(first, first + len(events)))
    assert events[-1].HasField("game_ended")
    drawn = [event.drawn for event in events if event.HasField("drawn")]
    own = [each.tile for each in drawn if each.seat == number]
    assert all(own)
    assert len(own) == (0 if viewer is None else sum(each.seat == number for each in drawn))


def assert_own(part: Message, number: int, told: Story) -> None:
    dealt = [] if number == 0 else [tile.name for tile in told.deal.hands[number - 1]]
    if isinstance(part, types_pb2.Drawn):
        assert bool(part.tile) == (part.seat == number)
    elif isinstance(part, types_pb2.GameStarted):
        assert list(part.hand) == dealt
    elif isinstance(part, watch_pb2.Snapshot):
        assert part.seat == number


def assert_hand(part: types_pb2.GameView, game: Game, viewer: Seat | None) -> None:
    hand = () if viewer is None else game.hands[viewer]
    assert list(part.hand) == [tile.name for tile in hand]
    assert part.ply == game.ply


# ---- the test would notice ---------------------------------------------------------------------


async def assert_noticed(viewer: Seat | None) -> None:
    told = story(3, SEED)
    one, other = await tape_both(told, viewer, 13)
    with pytest.raises(AssertionError):
        assert_the_same(one, other, 13)


async def test_an_event_that_tells_too_much_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qin.server.watching.redacted", lambda event, _seat: event)
    await assert_noticed(None)


async def test_a_snapshot_that_tells_too_much_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def next_hand(game: Game, seat: Seat | None) -> View:
        other = game.hands[((seat or 0) + 1) % game.players]
        return view_of(game, seat)._replace(hand=other)

    monkeypatch.setattr("qin.server.wire.view_of", next_hand)
    await assert_noticed(Seat(0))
