"""The server's certificate: self-signed, made once and kept, known to clients by its pin."""

from __future__ import annotations

import contextlib
import datetime as dt
import ipaddress
import os
import tempfile
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from qin.v1.conventions import CERTIFICATE_NAME, PIN_DIGITS

CERTIFICATE_FILE = "certificate.pem"
KEY_FILE = "certificate-key.pem"

_LIFE = dt.timedelta(days=3650)
"""Long: whoever was given the pin has to be given the new one when it changes."""
_RENEW = dt.timedelta(days=7)
"""One that ends so soon is not worth starting with."""


class CertificateError(Exception):
    """A certificate that cannot be used; the message names the file and says why."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate with its key, both in PEM."""

    key: bytes
    chain: bytes
    """The server's own certificate first."""
    path: Path
    """Where the certificate lies, for clients in other languages."""

    @property
    def pin(self) -> str:
        """By this a client knows the certificate."""
        der = x509.load_pem_x509_certificate(self.chain).public_bytes(Encoding.DER)
        return sha256(der).hexdigest()[:PIN_DIGITS]

    def __repr__(self) -> str:
        return f"Certificate({str(self.path)!r})"  # the key must not come into a log


def kept_certificate(folder: Path) -> Certificate:
    """The certificate in a folder; a new one where there is none that still serves."""
    paths = folder / CERTIFICATE_FILE, folder / KEY_FILE
    with contextlib.suppress(CertificateError):
        return read_certificate(*paths, good_for=_RENEW)
    chain, key = _make()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for path, content in zip(paths, (chain, key), strict=True):
            _replace(path, content, mode=0o600 if content is key else 0o644)
    except OSError as error:
        raise CertificateError(f"{folder}: the certificate cannot be kept: {error}") from None
    return Certificate(key, chain, paths[0])


def read_certificate(
    path: Path, key_path: Path, *, good_for: dt.timedelta = dt.timedelta()
) -> Certificate:
    """A certificate and its key from files, if they can be used now and for some time."""
    chain, key = _read(path), _read(key_path)
    try:
        certificate = x509.load_pem_x509_certificate(chain)
        public = certificate.public_key().public_bytes(
            Encoding.DER, PublicFormat.SubjectPublicKeyInfo
        )
    except (ValueError, UnsupportedAlgorithm) as error:
        raise CertificateError(f"{path}: is no certificate in PEM: {error}") from None
    try:
        private = load_pem_private_key(key, password=None)
    except TypeError:
        raise CertificateError(f"{key_path}: is locked with a password; unlock it first") from None
    except (ValueError, UnsupportedAlgorithm) as error:
        raise CertificateError(f"{key_path}: is no key in PEM: {error}") from None
    if private.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo) != public:
        raise CertificateError(f"{key_path}: is the key of another certificate than {path}")
    if certificate.not_valid_after_utc < dt.datetime.now(dt.UTC) + good_for:
        ended = certificate.not_valid_after_utc.date()
        raise CertificateError(f"{path}: the certificate ended on {ended}; renew it")
    return Certificate(key, chain, path)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise CertificateError(f"{path}: cannot be read: {error.strerror}") from None


def _make() -> tuple[bytes, bytes]:
    """A new certificate and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, CERTIFICATE_NAME)])
    now = dt.datetime.now(dt.UTC)
    names = [
        x509.DNSName(CERTIFICATE_NAME),
        x509.DNSName("localhost"),
        x509.IPAddress(ipaddress.ip_address("127.0.0.1")),
        x509.IPAddress(ipaddress.ip_address("::1")),
    ]
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))  # the clocks of a LAN differ
        .not_valid_after(now + _LIFE)
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        # Some TLS libraries refuse an authority's certificate as a server's.
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    return (
        certificate.public_bytes(Encoding.PEM),
        key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()),
    )


def _replace(path: Path, content: bytes, *, mode: int) -> None:
    """Write a file in one step; nobody else can read it before its mode is set."""
    descriptor, scratch = tempfile.mkstemp(dir=path.parent, prefix=f"{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        Path(scratch).chmod(mode)
        Path(scratch).replace(path)
    except OSError:
        Path(scratch).unlink(missing_ok=True)
        raise
