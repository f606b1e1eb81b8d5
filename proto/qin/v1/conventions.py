"""What clients and servers agree on beside the messages of the contract."""

from __future__ import annotations

PROTOCOL_VERSION = 1
"""Counted up with every addition to the contract."""

DEFAULT_PORT = 50713
"""Where a server listens if nobody says otherwise."""

CERTIFICATE_NAME = "qin.local"
"""What a server's own certificate is made out to, whatever the machine is called."""

PIN_DIGITS = 32
"""A pin is so many hex digits, from the left, of the SHA-256 of a certificate in DER; more of them,
up to all 64, are as good."""

SERVICE_TYPE = "_qin._tcp.local."
"""How servers are announced on the LAN."""
