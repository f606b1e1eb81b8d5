"""The tables of the store, version by version. A released version never changes: add another."""

from __future__ import annotations

APPLICATION_ID = 0x51494E31
"""`QIN1` in the header of the file, so that another program's database is never touched."""

MIGRATIONS = (
    """
    CREATE TABLE tables (
        id      TEXT PRIMARY KEY,
        created REAL NOT NULL,
        state   TEXT NOT NULL,     -- open, playing, finished
        timed   INTEGER NOT NULL,  -- whether something is to happen there at a certain time
        body    TEXT NOT NULL      -- everything but the game that is on, as JSON
    ) WITHOUT ROWID;

    -- Append-only: one row for each command that was acknowledged, with all that it caused.
    CREATE TABLE commands (
        table_id   TEXT NOT NULL,
        number     INTEGER NOT NULL,
        time       REAL NOT NULL,
        caller     BLOB,           -- hash of the caller's token
        request_id TEXT,
        digest     BLOB,           -- hash of the request
        response   BLOB,           -- the answer, for when the request is repeated
        events     BLOB NOT NULL,  -- a serialized WatchResponse with all that is hidden
        game       INTEGER NOT NULL,
        moves      TEXT NOT NULL,  -- tokens of the record, to play the game again
        clocks     TEXT NOT NULL,  -- milliseconds left by seat
        PRIMARY KEY (table_id, number)
    ) WITHOUT ROWID;

    CREATE TABLE records (
        number   INTEGER PRIMARY KEY AUTOINCREMENT,
        id       TEXT NOT NULL UNIQUE,
        table_id TEXT NOT NULL,
        public   INTEGER NOT NULL,
        info     BLOB NOT NULL,    -- a serialized RecordInfo
        text     TEXT NOT NULL
    );
    """,
    """
    CREATE INDEX records_of_a_table ON records (table_id, number);
    """,
)
"""Each script leads from one version to the next."""

COMMAND_VALUES = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
INSERT_COMMAND = "INSERT INTO commands VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
