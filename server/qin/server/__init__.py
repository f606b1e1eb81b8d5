"""The gRPC server: it owns the games, and streams to everybody what they may see of them.

options.py    what can be chosen when it is started, and what it puts up with
problems.py   every refusal that a client can meet
store.py      the SQLite file: group commit, migration, one server at a time
table.py      a table as an actor: one command at a time, written before it is acknowledged
seating.py    commands before and after a game; playing.py: commands of a game
hall.py       all tables: find, create, expire, wake up after a restart
watching.py   what each watcher is sent
services.py   the seven services of the contract on top of these
server.py     start, serve, drain
"""
