"""What happens in the scripted session, without the answers: `make.py` asks a real server for them.

A step with `want` waits for so many things in some fields of a stream; one with `show` is also part
of the worked session in docs/protocol.md, or of it only the request.
"""
# ruff: noqa: INP001 - part of a script, not of a package

from __future__ import annotations

import base64
from typing import Any

Json = dict[str, Any]

ANN, BOB, EVE, BOT = ({"authorization": f"Bearer ${name}"} for name in ("ANN", "BOB", "EVE", "BOT"))
ANN_NONCE, BOB_NONCE = (base64.b64encode(bytes([n] * 16)).decode() for n in (1, 2))

MAP = "R..V/..Y./B..."
DEAL = {
    "hands": "RR RR BB/YB BB YB",
    "piles": "BB BB RR BB YY RB RR RR YB YY YB RR YB RB BB RY YY"
    "/RB YY BB RY YB RB YY RY YB RB RB YB RR RR BB RB RY"
    "/YB YB RY RR RB YY RY YY RY RB RR RY BB RY YY BB"
    "/YB RB RB RY RR YY RB RR BB RY RY YY BB YY YB YY",
    "first": 1,
}


def call(method: str, who: Json, note: str, *, show: bool | str = False, **request: Any) -> Json:
    return {
        "note": note,
        "method": f"qin.v1.{method}",
        "metadata": who,
        "request": request,
        "show": show,
    }


def place(who: Json, note: str, *, show: bool | str = False, **request: Any) -> Json:
    return call("PlayService/PlaceTile", who, note, show=show, **{"tableId": "$TABLE1", **request})


def join(who: Json, note: str, *, show: bool | str = False, **request: Any) -> Json:
    usual = {"requestId": "join", "tableId": "$TABLE1", "name": "bob", "nonce": BOB_NONCE}
    return call("LobbyService/JoinTable", who, note, show=show, **{**usual, **request})


def start(who: Json, note: str, *, show: bool | str = False, **request: Any) -> Json:
    usual = {"requestId": "start", "tableId": "$TABLE1"}
    return call("LobbyService/StartTable", who, note, show=show, **{**usual, **request})


def receive(stream: str, note: str, *, show: bool = False, **want: int) -> Json:
    return {"note": note, "on": stream, "table": "$TABLE1", "want": want, "show": show}


def news(stream: str, note: str, *, answers: int = 0, **want: int) -> Json:
    """What a session is sent of the first table."""
    fields = {"answers": answers} if answers else {}
    fields |= {f"$TABLE1 {field}": count for field, count in want.items()}
    return {"note": note, "on": stream, "want": fields}


def send(stream: str, note: str, *commands: Json) -> Json:
    return {"note": note, "on": stream, "send": {"commands": list(commands)}}


START: list[Json] = [
    {
        "kit": 1,
        "note": "Needs a server that allows given deals. Secrets: so many random bytes, in hex.",
        "secrets": {"ANN": 32, "BOB": 32, "EVE": 32, "BOT": 32},
    },
    call(
        "InfoService/GetInfo",
        {},
        "**The server tells what it is.** Needs no token.",
        show=True,
        client="kit/1",
    )
    | {
        "response": {
            "serverVersion": "$ANY",
            "protocolVersion": "$ANY",
            "rulesVersion": "$ANY",
            "boards": "$ANY",
            "limits": "$ANY",
            "heartbeatSeconds": "$ANY",
            "allowsDeals": True,
            "$MORE": "$ANY",
        }
    },
    call(
        "LobbyService/CreateTable",
        ANN,
        "**Ann makes a table**: a tiny map, and a deal that is given, so that this is short.",
        show=True,
        requestId="create",
        settings={"map": MAP, "seats": 2},
        name="ann",
        deals=[DEAL],
    ),
    call(
        "LobbyService/CreateTable",
        ANN,
        "The same request again makes no second table.",
        requestId="create",
        settings={"map": MAP, "seats": 2},
        name="ann",
        deals=[DEAL],
    ),
    call("LobbyService/GetTable", {}, "Anybody may look at a table.", tableId="$TABLE1"),
    call("LobbyService/GetTable", {}, "There is no such table.", tableId="nowhere"),
    join(
        ANN,
        "**She sits down**, with 16 random bytes as her part of the shuffle.",
        show="request",
        name="ann",
        nonce=ANN_NONCE,
    ),
    call(
        "WatchService/Watch",
        ANN,
        "**She watches**, and wants to be told what she may place when it is her turn.",
        show=True,
        tableId="$TABLE1",
        options=True,
    )
    | {"open": "ann"},
    receive("ann", "The first message is a snapshot.", show=True, snapshot=1),
    start(
        ANN,
        "**A refusal** has a code, a reason and facts.",
        show=True,
        requestId="start early",
        tableId="$TABLE1",
    ),
    join({}, "Nobody sits down without a token.", nonce=BOB_NONCE),
    join(BOB, "A name has no slash.", requestId="bad name", name="b/ob", nonce=BOB_NONCE),
    join(BOB, "A nonce has 16 bytes.", requestId="bad nonce", nonce="AAAA"),
    join(BOB, "Bob takes the other seat.", nonce=BOB_NONCE),
    receive("ann", "Bob sat down, and everybody is told.", show=True, events=1),
    {
        "note": "Bob uses a session instead of single calls.",
        "open": "bob",
        "method": "qin.v1.SessionService/Connect",
        "metadata": BOB,
    },
    send("bob", "He watches the table in it.", {"id": 1, "watch": {"tableId": "$TABLE1"}}),
    news("bob", "He is sent a snapshot.", answers=1, snapshot=1),
    receive("ann", "He is connected now.", presences=1),
    start(BOB, "Only the owner starts.", tableId="$TABLE1"),
]

GAME: list[Json] = [
    start(ANN, "**The owner starts.**", show="request", tableId="$TABLE1"),
    receive(
        "ann",
        "She sees her own tiles, and her options, because it is her turn.",
        show=True,
        events=1,
        options=1,
    ),
    news("bob", "He sees his own tiles.", events=1),
    place(BOB, "It is not his turn.", requestId="b0", placement="Bb3Bc3"),
    place(ANN, "She does not hold this tile.", requestId="a1", placement="Yb3Bc3"),
    place(ANN, "These spaces are not adjacent.", requestId="a2", placement="Bb3Bc2"),
    place(ANN, "This is a start space.", requestId="a3", placement="Bc2Bc3"),
    place(ANN, "This is no placement.", requestId="a4", placement="b3c3"),
    place(
        ANN, "The ply is not the one that is on.", requestId="a5", placement="Bb3Bc3", expectedPly=3
    ),
    call("PlayService/ListPlacements", ANN, "What she may place.", tableId="$TABLE1"),
    call("PlayService/ListPlacements", BOB, "He may place nothing now.", tableId="$TABLE1"),
    call(
        "PlayService/PreviewPlacement",
        ANN,
        "**What would it cause?** Nothing happens yet.",
        show=True,
        tableId="$TABLE1",
        placement="Bb3Bc3",
    ),
    place(
        ANN,
        "**She places it** and draws from pile 1.",
        show=True,
        requestId="a6",
        placement="Bb3Bc3",
        pile=1,
    ),
    place(ANN, "The same again: the same answer.", requestId="a6", placement="Bb3Bc3", pile=1),
    place(ANN, "Another request with an old id.", requestId="a6", placement="Bb3Bc3", pile=2),
    receive("ann", "Her watch tells it, too.", events=3),
    news("bob", "He sees no tile that she draws.", events=3),
    send(
        "bob",
        "He asks and places in his session.",
        {"id": 2, "listPlacements": {"tableId": "$TABLE1"}},
    ),
    news("bob", "What he may place.", answers=1),
    send(
        "bob",
        "He places a stale tile.",
        {
            "id": 3,
            "placeTile": {"requestId": "b1", "tableId": "$TABLE1", "placement": "Bb1Bc1"},
        },
    ),
    news("bob", "A refusal within a session.", answers=1),
    send(
        "bob",
        "He places.",
        {
            "id": 4,
            "placeTile": {
                "requestId": "b2",
                "tableId": "$TABLE1",
                "expectedPly": 1,
                "placement": "Bb1Bc1",
            },
        },
    ),
    news("bob", "Pile 0 is the fullest, the first of equals.", answers=1, events=4),
    receive(
        "ann",
        "**Bob places.** She does not see what he draws, and it is her turn.",
        show=True,
        events=4,
        options=1,
    ),
    send(
        "bob",
        "He speaks.",
        {"id": 5, "say": {"requestId": "b3", "tableId": "$TABLE1", "text": "good luck"}},
    ),
    news("bob", "It is said.", answers=1, events=1),
    receive("ann", "She hears it.", events=1),
    call(
        "PlayService/Say",
        ANN,
        "One line only.",
        requestId="a7",
        tableId="$TABLE1",
        text="two\nlines",
    ),
    call("WatchService/Watch", EVE, "Eve has no seat.", tableId="$TABLE1") | {"open": "eve"},
    receive("eve", "She sees no hand.", snapshot=1),
    {"note": "Ann loses her connection.", "close": "ann"},
    news("bob", "She is gone.", presences=1),
    call(
        "WatchService/Watch",
        ANN,
        "**Ann lost her connection.** The last event that she has is number 7.",
        show=True,
        tableId="$TABLE1",
        afterSequence=7,
        options=True,
    )
    | {"open": "ann again"},
    receive(
        "ann again",
        "She is sent what she missed, who is there, and her options.",
        show=True,
        events=4,
        presences=2,
        options=1,
    ),
    news("bob", "She is back.", presences=1),
    receive("eve", "Eve saw her go and come back.", presences=2),
    call(
        "WatchService/Watch", EVE, "That has not happened yet.", tableId="$TABLE1", afterSequence=99
    )
    | {"open": "eve ahead"},
    {"note": "So it is refused.", "on": "eve ahead", "fails": True},
    place(ANN, "She places.", requestId="a8", expectedPly=2, placement="Bd2Bd3", pile=1),
    receive("ann again", "She conquers the village.", events=5),
    news("bob", "He loses it.", events=5),
    place(
        BOB,
        "**Bob's last placement**: the board is full.",
        show="request",
        requestId="b4",
        expectedPly=3,
        placement="Ra2Bb2",
    ),
    receive(
        "ann again",
        "**The end**, as Ann is sent it. The deal was given here; else salt and nonces of the\n"
        "shuffle would be in `seriesEnded`.",
        show=True,
        events=6,
    ),
    news("bob", "He is told, too.", events=6),
    receive("eve", "So is Eve.", events=11),
]

END: list[Json] = [
    place(ANN, "It is over.", requestId="a9", expectedPly=4, placement="Rb1Rc1"),
    call("RecordsService/ListRecords", {}, "The records of the table.", tableId="$TABLE1"),
    call("RecordsService/GetRecord", {}, "**The record.**", show=True, recordId="$RECORD1"),
    call(
        "LobbyService/Rematch",
        ANN,
        "Ann wishes for a rematch.",
        requestId="a10",
        tableId="$TABLE1",
        nonce=BOB_NONCE,
    ),
    call("LobbyService/LeaveTable", BOB, "Bob leaves.", requestId="b5", tableId="$TABLE1"),
    receive("ann again", "His seat is free.", events=1),
    news("bob", "He sees that, and then no more of it.", events=1, closing=1),
    {"note": "He has heard enough.", "close": "bob"},
    {
        "note": "A bot offers itself.",
        "open": "bot",
        "method": "qin.v1.OfferService/Offer",
        "metadata": BOT,
        "request": {"name": "kit-bot"},
    },
    call(
        "LobbyService/CreateTable",
        ANN,
        "A table with a shuffle: there is a commitment.",
        requestId="create 2",
        settings={
            "boardName": "bird",
            "seats": 2,
            "first": "FIRST_SEAT_NAMED",
            "firstSeat": 1,
        },
    ),
    join(ANN, "Ann sits down.", tableId="$TABLE2", name="ann", nonce=ANN_NONCE),
    call(
        "LobbyService/AddBot",
        ANN,
        "There is no such bot.",
        requestId="no bot",
        tableId="$TABLE2",
        bot="nobody",
    ),
    call(
        "LobbyService/AddBot",
        ANN,
        "Ann asks for the bot.",
        requestId="bot",
        tableId="$TABLE2",
        bot="kit-bot",
    ),
    {"note": "It is handed the seat.", "on": "bot", "want": {"seat": 1}},
    join(
        BOT, "It sits down with the ticket.", tableId="$TABLE2", name="kit-bot", ticket="$TICKET1"
    ),
    start(ANN, "Ann starts.", tableId="$TABLE2"),
    call(
        "PlayService/Resign",
        BOT,
        "The bot resigns: the salt is revealed.",
        requestId="resign",
        tableId="$TABLE2",
    ),
]

STEPS = START + GAME + END
