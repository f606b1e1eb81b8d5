"""Addresses of servers: every form is read, and what is written is read back."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from qin.client.address import Address, AddressError
from qin.server.options import Options

PIN = "0123456789abcdef" * 2

hosts = st.one_of(
    st.from_regex(r"[a-z0-9]([a-z0-9.-]{0,20}[a-z0-9])?", fullmatch=True),
    st.ip_addresses().map(str),
)
addresses = st.builds(
    Address,
    hosts,
    st.integers(1, 65535),
    st.from_regex(r"([a-z0-9]{6})?", fullmatch=True),
    st.text(st.characters(categories=["L", "N", "P", "S", "Zs"])).filter(str.isprintable),
    st.one_of(st.just(""), st.text("0123456789abcdef", min_size=32, max_size=64)),
)


@given(addresses)
def test_what_is_written_is_read_back(address: Address) -> None:
    assert Address.parse(str(address)) == address
    assert eval(repr(address)) == address  # noqa: S307 - that is what a repr is for
    assert Address.parse(address.target) == Address(address.host, address.port)
    assert str(address).isprintable()


@given(st.text())
def test_any_text_is_an_address_or_refused(text: str) -> None:
    with contextlib.suppress(AddressError):
        address = Address.parse(text)
        assert Address.parse(str(address)) == address


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("ann-laptop", Address("ann-laptop")),
        ("192.168.1.5", Address("192.168.1.5", 50713)),
        (" localhost:4000 ", Address("localhost", 4000)),
        ("localhost/k3v9x2", Address("localhost", table="k3v9x2")),
        ("localhost:4000/k3v9x2/", Address("localhost", 4000, "k3v9x2")),
        ("::1", Address("::1")),
        ("[::1]", Address("::1")),
        ("[fe80::1%eth0]:4000/k3v9x2", Address("fe80::1%eth0", 4000, "k3v9x2")),
        ("qin://10.0.0.1", Address("10.0.0.1")),
        ("QIN://10.0.0.1:1?pin=" + PIN.upper(), Address("10.0.0.1", 1, pin=PIN)),
        ("qin://a/t?code=t%26a%20b", Address("a", table="t", code="t&a b")),
        (f"qin://a?pin={PIN}&code=x", Address("a", code="x", pin=PIN)),
    ],
)
def test_every_form_is_read(text: str, address: Address) -> None:
    assert Address.parse(text) == address


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "names no machine"),
        (":4000", "names no machine"),
        ("http://a", "http:// is not for Qin"),
        ("a b", "not the name of a machine"),
        ("a\x1b[2J", "not the name of a machine"),
        ("a:", "'' is not a port"),
        ("a:0", "0 is not a port"),
        ("a:65536", "65536 is not a port"),
        ("a:4x", "'4x' is not a port"),
        ("[::1", "write IPv6 as in [::1]:50713"),
        ("[::1]4000", "write IPv6"),
        ("[ann]:4000", "write IPv6"),
        ("a/b/c", "'b/c' is not a table"),
        ("a?pin=12", "'12' is not a pin; it has 32 to 64 digits"),
        ("a?pin=" + "g" * 32, "is not a pin"),
        ("a?code=%00", "cannot be printed"),
        ("a?salt=1", "'salt' in the address is unknown here"),
        ("a?code=1&code=2", "'code' stands twice"),
    ],
)
def test_what_is_no_address_is_told_in_words(text: str, said: str) -> None:
    with pytest.raises(AddressError) as caught:
        Address.parse(text)
    assert said in str(caught.value)
    assert str(caught.value).isprintable()


def test_both_sides_have_one_default_port() -> None:
    assert Address("a").port == Options().port
