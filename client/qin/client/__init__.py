"""The client library for Python.

    async with connect("192.168.1.5") as client:
        table = await client.create(board="bird", seats=2)
        await table.join("ann")
        async for update in table.watch(): ...

address.py   where a server is: parse and format of `qin://HOST:PORT/TABLE?code=…&pin=…`
channel.py   connections to a server, plain or pinned; tokens and passwords
errors.py    what can go wrong
client.py    a client of one server
table.py     one table of it: sit down, play, look on
state.py     a table as a client knows it; views.py keeps the game in it
happenings.py, events.py  what happens at a table, and how it comes off the wire
table_words.py  the same in words
calls.py     calls that survive a lost connection
follow.py    a watch that survives a lost connection
discover.py  finding servers on the LAN
"""

from qin.client.address import Address
from qin.client.channel import new_token
from qin.client.client import Client, connect
from qin.client.errors import CallError, ClientError, ConnectError
from qin.client.state import Clocks, TableState
from qin.client.table import Table, Update

__all__ = [
    "Address",
    "CallError",
    "Client",
    "ClientError",
    "Clocks",
    "ConnectError",
    "Table",
    "TableState",
    "Update",
    "connect",
    "new_token",
]
