"""Encryption for browsers is that of RFC 8291, byte by byte."""

from __future__ import annotations

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from edgefleet_server.core.errors import InputError
from edgefleet_server.domain.notices.recipients import unpadded
from edgefleet_server.domain.notices.web_push import encrypted, text_of


def test_example_of_the_rfc() -> None:
    """RFC 8291, section 5 and appendix A."""
    browser = unpadded("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4")
    shared = unpadded("BTBZMqHH6r4Tts7J_aSIgg")
    salt = unpadded("DGv6ra1nlYgDCS1FRnbzlw")
    key = ec.derive_private_key(int.from_bytes(unpadded("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"), "big"), ec.SECP256R1())
    message = encrypted(b"When I grow up, I want to be a watermelon", browser, shared, key, salt)
    assert text_of(message) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml"
        "mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPT"
        "pK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def test_key_that_is_no_point() -> None:
    """The text says what to do."""
    key = ec.generate_private_key(ec.SECP256R1())
    with pytest.raises(InputError, match="subscribe again"):
        encrypted(b"x", b"\x04" + bytes(64), bytes(16), key, bytes(16))
