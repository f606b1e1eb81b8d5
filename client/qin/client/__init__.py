"""The client library for Python.

address.py   where a server is: parse and format of `qin://HOST:PORT/TABLE?code=…&pin=…`
channel.py   connections to a server, plain or pinned; tokens and passwords
discover.py  finding servers on the LAN
follow.py    watching a table over lost connections and restarted servers
events.py    from the messages of the contract to the values of the engine
"""
