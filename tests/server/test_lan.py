"""TLS for the LAN: a certificate that is kept, and clients that know it by its pin."""

from __future__ import annotations

import datetime as dt
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path

import grpc
import grpc.aio
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from qin.client.address import Address
from qin.client.channel import connected, metadata, new_token
from qin.client.errors import ConnectError, NoTlsError, WrongServerError
from qin.server import certificate as certificates
from qin.server.certificate import (
    Certificate,
    CertificateError,
    kept_certificate,
    read_certificate,
)
from qin.server.options import Options
from qin.server.server import running
from qin.v1.conventions import PROTOCOL_VERSION
from qin.v1.info_pb2 import GetInfoRequest
from qin.v1.info_pb2_grpc import InfoServiceStub
from server.players import Player


@asynccontextmanager
async def serving_tls(certificate: Certificate, **options: str) -> AsyncIterator[Address]:
    pair = (certificate.key, certificate.chain)
    async with running(Options(port=0, certificate=pair, **options)) as server:  # type: ignore[arg-type]
        yield Address("127.0.0.1", server.port, pin=certificate.pin)


async def version_at(address: Address, password: str = "") -> int:
    sent = metadata(token=new_token(), password=password)
    async with connected(address) as channel:
        info = await InfoServiceStub(channel).GetInfo(GetInfoRequest(), metadata=sent, timeout=10)
        return info.protocol_version


@pytest.mark.parametrize("digits", [32, 40, 64])
async def test_with_the_pin_a_client_gets_in(tmp_path: Path, digits: int) -> None:
    kept = kept_certificate(tmp_path)
    whole = sha256(x509.load_pem_x509_certificate(kept.chain).public_bytes(Encoding.DER))
    async with serving_tls(kept, password="tea") as address:  # noqa: S106 - of a test
        pinned = Address(address.host, address.port, pin=whole.hexdigest()[:digits])
        assert await version_at(pinned, "tea") == PROTOCOL_VERSION
        async with connected(address) as channel:
            ann = Player(channel)
            ann.metadata = metadata(token=ann.token, password="tea")  # noqa: S106
            table = await ann.create()
            assert (await ann.snapshot(table.table_id)).table.table_id == table.table_id


async def test_with_a_wrong_pin_no_call_is_made(tmp_path: Path) -> None:
    async with serving_tls(kept_certificate(tmp_path)) as address:
        wrong = Address(address.host, address.port, pin=kept_certificate(tmp_path / "other").pin)
        with pytest.raises(WrongServerError, match="another certificate than the pin says"):
            await version_at(wrong)


async def test_a_pin_for_a_server_without_tls_is_told(tmp_path: Path) -> None:
    async with running(Options(port=0)) as server:
        with pytest.raises(NoTlsError, match="does not speak TLS"):
            await version_at(Address("127.0.0.1", server.port, pin=kept_certificate(tmp_path).pin))


async def test_plain_text_for_a_server_with_tls_is_told(tmp_path: Path) -> None:
    async with serving_tls(kept_certificate(tmp_path)) as address:
        with pytest.raises(ConnectError, match="speaks TLS: give the whole line"):
            await version_at(Address(address.host, address.port))


async def test_nobody_there_is_told(tmp_path: Path) -> None:
    async with running(Options(port=0)) as server:
        port = server.port
    for pin in ("", kept_certificate(tmp_path).pin):
        with pytest.raises(ConnectError, match=r"nobody answers at 127\.0\.0\.1:\d+ \(.+\)"):
            await version_at(Address("127.0.0.1", port, pin=pin))


async def test_other_clients_need_only_the_file(tmp_path: Path) -> None:
    kept = kept_certificate(tmp_path)
    credentials = grpc.ssl_channel_credentials(kept.path.read_bytes())
    async with (
        serving_tls(kept) as address,
        grpc.aio.secure_channel(f"localhost:{address.port}", credentials) as channel,
    ):
        info = await InfoServiceStub(channel).GetInfo(GetInfoRequest(), timeout=10)
        assert info.protocol_version == PROTOCOL_VERSION


def test_the_certificate_is_kept_and_its_key_is_private(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    first = kept_certificate(folder)
    again = kept_certificate(folder)
    assert again.pin == first.pin
    assert again.key == first.key
    key_file = folder / certificates.KEY_FILE
    assert stat.S_IMODE(key_file.stat().st_mode) == 0o600
    assert sorted(path.name for path in folder.iterdir()) == [
        "certificate-key.pem",
        "certificate.pem",
    ]
    assert "PRIVATE" not in first.path.read_text()
    assert "PRIVATE" not in repr(first)


@pytest.mark.parametrize("broken", [certificates.CERTIFICATE_FILE, certificates.KEY_FILE])
def test_one_that_cannot_be_read_is_replaced(tmp_path: Path, broken: str) -> None:
    first = kept_certificate(tmp_path)
    (tmp_path / broken).write_bytes(b"\x00 not a certificate")
    second = kept_certificate(tmp_path)
    assert second.pin != first.pin
    assert kept_certificate(tmp_path).pin == second.pin


def test_one_whose_key_is_of_another_is_replaced(tmp_path: Path) -> None:
    first, other = kept_certificate(tmp_path), kept_certificate(tmp_path / "other")
    (tmp_path / certificates.KEY_FILE).write_bytes(other.key)
    assert kept_certificate(tmp_path).pin not in {first.pin, other.pin}


def test_one_that_has_ended_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as past:
        past.setattr(certificates, "_LIFE", dt.timedelta(hours=-1))
        old = kept_certificate(tmp_path)
    with pytest.raises(CertificateError, match="the certificate ended on"):
        read_certificate(old.path, tmp_path / certificates.KEY_FILE)
    assert kept_certificate(tmp_path).pin != old.pin


async def test_a_certificate_of_ones_own_from_an_authority(tmp_path: Path) -> None:
    authority, leaf = (
        ec.generate_private_key(ec.SECP256R1()),
        ec.generate_private_key(ec.SECP256R1()),
    )
    key, chain = tmp_path / "key.pem", tmp_path / "cert.pem"
    key.write_bytes(leaf.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    chain.write_bytes(signed(leaf.public_key(), authority))
    async with serving_tls(read_certificate(chain, key)) as address:
        assert await version_at(address) == PROTOCOL_VERSION


def signed(public: ec.EllipticCurvePublicKey, authority: ec.EllipticCurvePrivateKey) -> bytes:
    now = dt.datetime.now(dt.UTC)

    def named(text: str) -> x509.Name:
        return x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, text)])

    names = x509.SubjectAlternativeName([x509.DNSName("*.example.org")])
    certificate = (
        x509.CertificateBuilder(named("an authority"), named("qin.example.org"), public)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=90))
        .add_extension(names, critical=False)
        .sign(authority, hashes.SHA256())
    )
    return certificate.public_bytes(Encoding.PEM)
