"""Connections to a server: plain text, or TLS to the one certificate that the pin names.

gRPC has no way to check a fingerprint by itself. So the certificate is fetched first, compared
with the pin, and then is the only one that the connection trusts.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import socket
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256
from hmac import compare_digest

import grpc
import grpc.aio
from cryptography import x509
from qin.client.address import Address
from qin.client.errors import ConnectError, NoTlsError, WrongServerError
from qin.v1.conventions import CERTIFICATE_NAME

Metadata = tuple[tuple[str, str], ...]

SECONDS_TO_CONNECT = 5.0

_OPTIONS: list[tuple[str, str | int]] = [
    ("grpc.keepalive_time_ms", 10_000),  # the server allows one ping in 5 seconds
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.initial_reconnect_backoff_ms", 200),
    ("grpc.max_reconnect_backoff_ms", 5_000),
    ("grpc.enable_http_proxy", 0),  # who plays at home is not behind the proxy of the house
]


def new_token() -> str:
    """A secret of one's own: whoever has it owns the table or the seat that was taken with it."""
    return secrets.token_hex(32)


def metadata(*, token: str = "", password: str = "") -> Metadata:
    """What goes with each call."""
    return tuple(
        (key, value)
        for key, value in (
            ("authorization", token and f"Bearer {token}"),
            ("qin-password", password),
        )
        if value
    )


@asynccontextmanager
async def connected(address: Address) -> AsyncIterator[grpc.aio.Channel]:
    """A channel to a server that answers, for as long as the context lasts."""
    channel = await open_channel(address)
    try:
        if not await _ready(channel):
            raise ConnectError(await _why_not(address))
        yield channel
    finally:
        await channel.close()


async def _ready(channel: grpc.aio.Channel) -> bool:
    """Whether the server answers; the first failure is enough to know that it does not."""
    waiting = grpc.ChannelConnectivity.IDLE, grpc.ChannelConnectivity.CONNECTING
    try:
        async with asyncio.timeout(SECONDS_TO_CONNECT):
            while (state := channel.get_state(try_to_connect=True)) in waiting:
                await channel.wait_for_state_change(state)
    except TimeoutError:
        return False
    return state is grpc.ChannelConnectivity.READY


async def open_channel(address: Address) -> grpc.aio.Channel:
    """A channel to a server; with a pin only to the server that has it. Close it in the end."""
    target = address.target.replace("%", "%25")
    if not address.pin:
        return grpc.aio.insecure_channel(target, options=_OPTIONS)
    der = await _pinned_certificate(address)
    return grpc.aio.secure_channel(
        target,
        grpc.ssl_channel_credentials(root_certificates=_pem(der)),
        options=[*_OPTIONS, ("grpc.ssl_target_name_override", _name_in(der))],
    )


async def trusted_certificate(address: Address) -> bytes:
    """The certificate that the pin names, in PEM: what clients in other languages trust."""
    return _pem(await _pinned_certificate(address))


async def _pinned_certificate(address: Address) -> bytes:
    der = await fetch_certificate(address)
    if not compare_digest(sha256(der).hexdigest()[: len(address.pin)], address.pin):
        raise WrongServerError(
            f"{address.target} shows another certificate than the pin says: this is not the server"
            " that you were told of, or its certificate is new; ask for its line again"
        )
    return der


def _pem(der: bytes) -> bytes:
    return ssl.DER_cert_to_PEM_cert(der).encode()


async def fetch_certificate(address: Address) -> bytes:
    """The certificate that a server shows, in DER; whether it is the right one is not checked."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.set_alpn_protocols(["h2"])
    try:
        async with asyncio.timeout(SECONDS_TO_CONNECT):
            _, writer = await asyncio.open_connection(address.host, address.port, ssl=context)
    except ssl.SSLError:
        raise NoTlsError(
            f"{address.target} does not speak TLS; if it is started with --plaintext, leave the"
            " pin out"
        ) from None
    except TimeoutError:
        raise ConnectError(_nobody(address)) from None
    except OSError as error:
        raise ConnectError(_nobody(address, error)) from None
    try:
        der: bytes = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
    finally:
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()
    return der


def _name_in(der: bytes) -> str:
    """A name that the certificate is made out to: the pin has shown already that it is the one."""
    try:
        names = x509.load_der_x509_certificate(der).extensions.get_extension_for_class(
            x509.SubjectAlternativeName
        )
    except (ValueError, x509.ExtensionNotFound):
        return CERTIFICATE_NAME
    known = names.value.get_values_for_type(x509.DNSName)
    if not known or CERTIFICATE_NAME in known:
        return CERTIFICATE_NAME
    return known[0].replace("*", "qin")


async def _why_not(address: Address) -> str:
    """Why a server that was called in plain text, or by its pin, does not answer."""
    if address.pin:
        return _nobody(address)
    try:
        await fetch_certificate(address)
    except NoTlsError:
        return f"{address.target} answers, but not as a Qin server does; check the port"
    except ConnectError as error:
        return str(error)
    return (
        f"{address.target} speaks TLS: give the whole line that it printed, qin://…?pin=…,"
        " so that nobody can pose as it"
    )


def _nobody(address: Address, error: OSError | None = None) -> str:
    return (
        f"nobody answers at {address.target}{_reason(error)}; is `qin serve` running there,"
        " and is this the right address?"
    )


def _reason(error: OSError | None) -> str:
    if isinstance(error, socket.gaierror):
        return f" ({error.strerror})"
    # asyncio puts the address in the place of the system's words.
    return f" ({os.strerror(error.errno)})" if error and error.errno else ""
