"""Where a server is, and what opens it: the text that every command takes as its server.

192.168.1.5                                  the default port, plain text
ann-laptop:4000                              another port
[fe80::1]:50713/k3v9x2                       a table on it
qin://192.168.1.5:50713/k3v9x2?code=tea&pin=4f1c…
                                             the line that `qin serve --lan` prints
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import quote, unquote

from qin.engine import ParseError
from qin.v1.conventions import DEFAULT_PORT, PIN_DIGITS

_SCHEME = "qin"
_HOST = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,251}[A-Za-z0-9_.])?")
_TABLE = re.compile(r"[A-Za-z0-9_-]{1,64}")
_PIN = re.compile(rf"[0-9a-f]{{{PIN_DIGITS},64}}")
_EXAMPLE = "write HOST, HOST:PORT or the whole qin:// line that the server printed"


class AddressError(ParseError):
    """A text that is not the address of a server."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server is; maybe a table on it, and what opens both."""

    host: str
    """A name, or an IP address without brackets."""
    port: int = DEFAULT_PORT
    table: str = ""
    """A table on the server; empty for none."""
    code: str = ""
    """The table's invite code, where it needs one."""
    pin: str = ""
    """Hex digits of the SHA-256 of the server's certificate; empty for plain text."""

    def __post_init__(self) -> None:
        if not (_HOST.fullmatch(self.host) or _is_ipv6(self.host)):
            raise AddressError(f"{self.host!r} is not the name of a machine; {_EXAMPLE}")
        if not 1 <= self.port <= 65535:
            raise AddressError(f"{self.port} is not a port; ports go from 1 to 65535")
        if self.table and not _TABLE.fullmatch(self.table):
            raise AddressError(f"{self.table!r} is not a table; tables are called like k3v9x2")
        if not self.code.isprintable():
            raise AddressError("the invite code has characters that cannot be printed")
        if self.pin and not _PIN.fullmatch(self.pin):
            raise AddressError(
                f"{self.pin!r} is not a pin; it has {PIN_DIGITS} to 64 digits from 0-9 and a-f,"
                " as the server printed it"
            )

    @classmethod
    def parse(cls, text: str) -> Address:
        """Read any of the forms above.

        >>> Address.parse("qin://192.168.1.5/k3v9x2?code=tea")
        Address(host='192.168.1.5', port=50713, table='k3v9x2', code='tea', pin='')
        """
        scheme, found, rest = text.strip().partition("://")
        if not found:
            rest = scheme
        elif scheme.lower() != _SCHEME:
            raise AddressError(f"{scheme}:// is not for Qin; {_EXAMPLE}")
        rest, _, query = rest.partition("?")
        where, _, table = rest.partition("/")
        host, port = _host_and_port(where)
        parts = _parts(query)
        return cls(
            host,
            port,
            unquote(table.removesuffix("/")),
            parts.get("code", ""),
            parts.get("pin", "").replace(":", "").lower(),
        )

    def __str__(self) -> str:
        """The whole line; it may hold an invite code, so mind who sees it."""
        parts = [
            f"{name}={quote(value, safe='')}"
            for name, value in (("code", self.code), ("pin", self.pin))
            if value
        ]
        table = f"/{self.table}" if self.table else ""
        return f"{_SCHEME}://{self.target}{table}{'?' if parts else ''}{'&'.join(parts)}"

    @property
    def target(self) -> str:
        """`HOST:PORT`, with nothing secret in it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


def _host_and_port(text: str) -> tuple[str, int]:
    if _is_ipv6(text):
        return text, DEFAULT_PORT
    if text.startswith("["):
        host, bracket, tail = text[1:].partition("]")
        if not (bracket and _is_ipv6(host) and (not tail or tail.startswith(":"))):
            raise AddressError(f"{text!r} is not an address; write IPv6 as in [::1]:{DEFAULT_PORT}")
        port = tail.removeprefix(":") if tail else str(DEFAULT_PORT)
    else:
        host, colon, port = text.partition(":")
        port = port if colon else str(DEFAULT_PORT)
    if not host:
        raise AddressError(f"{text!r} names no machine; {_EXAMPLE}")
    if not (port.isascii() and port.isdecimal() and len(port) <= 5):
        raise AddressError(f"{port!r} is not a port; ports go from 1 to 65535")
    return host, int(port)


def _parts(query: str) -> dict[str, str]:
    parts: dict[str, str] = {}
    for part in filter(None, query.split("&")):
        name, _, value = part.partition("=")
        if name not in ("code", "pin"):
            raise AddressError(f"{name!r} in the address is unknown here; a newer qin may know it")
        if name in parts:
            raise AddressError(f"{name!r} stands twice in the address; which one holds?")
        parts[name] = unquote(value)
    return parts


def _is_ipv6(text: str) -> bool:
    address, percent, zone = text.partition("%")
    if percent and not _TABLE.fullmatch(zone):
        return False
    try:
        ipaddress.IPv6Address(address)
    except ValueError:
        return False
    return True
