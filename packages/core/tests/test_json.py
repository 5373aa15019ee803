"""Reading JSON that somebody else wrote."""

import pytest

from tertulia._json import MAX_BYTES, as_list, as_object, load, load_object
from tertulia.errors import Invalid


@pytest.mark.parametrize(("document", "value"), [(b"[1, 2]", [1, 2]), ('{"a": "\u00e9"}', {"a": "é"}), (b" 1 ", 1)])
def test_a_document_is_parsed(document: bytes | str, value: object) -> None:
    assert load(document, "it") == value


def test_the_limit_is_githubs_and_can_be_another() -> None:
    assert MAX_BYTES == 25 * 1024 * 1024
    assert load(b"[1]", "it", limit=3) == [1]

    with pytest.raises(Invalid, match=r"^it: 4 bytes are more than 3$"):
        load(b"[12]", "it", limit=3)
    with pytest.raises(Invalid, match=r"^it: 4 bytes are more than 3$"):
        load('"é"', "it", limit=3)


def test_there_may_be_no_limit() -> None:
    assert load(b" " * 100 + b"1", "it", limit=None) == 1


@pytest.mark.parametrize(
    ("document", "kind"),
    [(b"[]", "an array"), (b'"a"', "a string"), (b"true", "a boolean"), (b"1.5", "a number"), (b"null", "null")],
)
def test_a_document_must_be_an_object_and_the_refusal_says_what_it_was(document: bytes, kind: str) -> None:
    with pytest.raises(Invalid, match=f"^it: must be a JSON object, not {kind}$"):
        load_object(document, "it")


def test_an_object_is_given_as_it_is() -> None:
    assert load_object(b'{"a": [null]}', "it") == {"a": [None]}


@pytest.mark.parametrize("document", [b"", b"\xef\xbb\xbf", "\ufeff", "\n"])
def test_an_empty_document_is_refused_as_such(document: bytes | str) -> None:
    with pytest.raises(Invalid, match=r"^it: is empty$"):
        load(document, "it")


@pytest.mark.parametrize("document", [b"NaN", b"[Infinity]", b"-Infinity", b'"\xff"', b"{'a': 1}", b"[1,]", b"1 2"])
def test_loose_json_is_refused(document: bytes) -> None:
    with pytest.raises(Invalid, match=r"^it: is not JSON: "):
        load(document, "it")


@pytest.mark.parametrize("value", [None, True, 1, "a", [["a", 1]]])
def test_what_is_no_object_is_taken_for_an_empty_one(value: object) -> None:
    assert as_object(value) == {}
    assert as_object({"a": value}) == {"a": value}


@pytest.mark.parametrize("value", [None, True, 1, "abc", {"a": 1}])
def test_what_is_no_array_is_taken_for_an_empty_one(value: object) -> None:
    assert as_list(value) == []
    assert as_list([value]) == [value]
