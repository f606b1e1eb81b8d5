"""What can be chosen when a server is started, and what it puts up with."""

from __future__ import annotations

from dataclasses import dataclass, field

from qin.v1.conventions import DEFAULT_PORT

MEMORY = ":memory:"


@dataclass(frozen=True, slots=True)
class Limits:
    """What a client may ask for. Those per address do not count for loopback."""

    message_bytes: int = 64 * 1024
    name_length: int = 32
    chat_length: int = 300
    code_length: int = 64
    games: int = 100
    seconds: int = 7 * 24 * 3600
    """Of a clock, an absence or a pause."""
    page_size: int = 100
    tables_per_address: int = 50
    watchers_per_table: int = 200
    watches_per_token: int = 8
    """Of one table."""
    commands_per_message: int = 1000
    """Of a session."""
    requests_per_second: int = 100
    backlog_bytes: int = 1 << 20
    """What may wait for a slow watcher."""


@dataclass(frozen=True, slots=True)
class Options:
    """How a server is run."""

    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    """0 for any that is free."""
    database: str = MEMORY
    """A file, or `:memory:` to keep nothing."""
    durable: bool = True
    """Whether an acknowledged move survives a power cut, and not only the end of the process."""
    keep_seconds: float = 24 * 3600
    """How long a table stays that nobody is at."""
    heartbeat_seconds: float = 5
    silence_seconds: float = 5
    """How long a client may leave a ping unanswered until its connection is taken for dead."""
    ticket_seconds: float = 20
    """How long a seat waits for the bot that it was offered to."""
    bot_grace_seconds: float = 3
    """How long a bot that plays may be gone until another one plays on."""
    password: str = field(default="", repr=False)
    allow_deals: bool = False
    withhold_records: bool = False
    """Whether a record is for the table's owner alone: in a tournament its deal comes again."""
    certificate: tuple[bytes, bytes] | None = field(default=None, repr=False)
    """Key and certificate chain in PEM, to speak TLS."""
    metrics_port: int | None = None
    """Where Prometheus may ask, on this machine alone; None for nowhere."""
    limits: Limits = field(default_factory=Limits)
