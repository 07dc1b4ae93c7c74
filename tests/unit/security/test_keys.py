"""Keys stay apart, and say nothing of themselves."""

from __future__ import annotations

import pytest

from shared.security.keys import KeyedHash, MasterKeyError, derive_keys, new_master_key, parse_master_key
from shared.security.shredding import SealBrokenError, new_data_key, seal, unseal, unwrap_key, wrap_key

MASTER = bytes(range(32))


def test_every_purpose_has_a_key_of_its_own() -> None:
    keys = derive_keys(MASTER)
    assert keys.token_hash.digest("x") != keys.network_hash.digest("x")
    assert len({keys.cursor_mac, keys.key_wrapping, MASTER}) == 3


def test_derived_keys_never_change() -> None:
    """Stored hashes and wrapped keys depend on them: these values are frozen."""
    keys = derive_keys(MASTER)
    assert keys.token_hash.digest("abc").hex() == "fc44906fa573bc7a104bd5f3c9e8e8a2"
    assert keys.network_hash.digest("abc").hex() == "99837556d25a44a814d6296559b40a5e"
    assert keys.cursor_mac.hex()[:16] == "0cd564ddfccf2274"
    assert keys.key_wrapping.hex()[:16] == "39770d356c71bc34"


def test_keys_are_not_printed() -> None:
    keys = derive_keys(MASTER)
    assert keys.cursor_mac.hex() not in repr(keys)
    assert repr(keys.cursor_mac) not in repr(keys)


def test_a_master_key_is_read_as_it_is_made() -> None:
    text = new_master_key()
    assert len(parse_master_key(f" {text}\n")) == 32


@pytest.mark.parametrize("text", ["", "secret", "c2VjcmV0", "ä" * 44, "A" * 43, "A" * 88])
def test_anything_else_is_no_master_key_and_is_not_quoted(text: str) -> None:
    with pytest.raises(MasterKeyError) as caught:
        parse_master_key(text)
    assert not text or text not in str(caught.value)


def test_a_keyed_hash_has_16_bytes_and_depends_on_the_key() -> None:
    digest = KeyedHash(MASTER).digest("192.0.2.7")
    assert len(digest) == 16
    assert digest != KeyedHash(bytes(32)).digest("192.0.2.7")


def test_a_data_key_is_unwrapped_for_its_subject_only() -> None:
    data_key, wrapping = new_data_key(), bytes(32)
    wrapped = wrap_key(wrapping, "p1", data_key)
    assert data_key not in wrapped
    assert unwrap_key(wrapping, "p1", wrapped) == data_key
    for subject, key in (("p2", wrapping), ("p1", MASTER)):
        with pytest.raises(SealBrokenError):
            unwrap_key(key, subject, wrapped)
    with pytest.raises(SealBrokenError):
        unwrap_key(wrapping, "p1", b"")


def test_sealed_data_opens_in_its_place_only() -> None:
    sealed = seal(MASTER, b"words", b"record-p1|1|confidential")
    assert sealed.startswith("enc1.")
    assert unseal(MASTER, sealed, b"record-p1|1|confidential") == b"words"
    for text, aad in ((sealed, b"record-p1|2|confidential"), (sealed[5:], b"record-p1|1|confidential"), ("enc1.!", b""), ("enc1.ä", b"")):
        with pytest.raises(SealBrokenError):
            unseal(MASTER, text, aad)
