"""Characters that a reader does not see: taken out and counted, but for the few that have a reason to stay."""

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertulia._text import clean_characters, strip_controls

ANY = st.text(st.characters(codec=None, categories=None))
TRICKY = st.text(
    st.sampled_from(
        "a1#\u0645\u06cc\u0915\u094d\u5b57\u2264\u1820\u2764\U0001f469\U0001f3fd\U0001f525\u200c\u200d\ufe0e\ufe0f\ufe00"
        "\u180b\u180e\u200b\u00ad\U000e0041\U000e0100\n\t \x00\x85\u2028\ud800"
    )
)
DEFAULT_IGNORABLE = [
    *(
        "\u00ad",
        "\u034f",
        "\u061c",
        "\u115f-\u1160",
        "\u17b4-\u17b5",
        "\u180b-\u180f",
        "\u200b-\u200f",
        "\u202a-\u202e",
    ),
    *("\u2060-\u206f", "\u3164", "\ufe00-\ufe0f", "\ufeff", "\uffa0", "\ufff0-\ufff8", "\U0001bca0-\U0001bca3"),
    *("\U0001d173-\U0001d17a", "\U000e0000-\U000e0fff"),
]
VISIBLE_FORMAT = [*"\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"]


def cleaned(text: str) -> str:
    """Clean a text."""
    return clean_characters(text)[0]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "plain text\twith a tab\nand a line",
        "größe Ελλάδα 日本語 한국어 עברית ไทย",
        "no\u00a0break\u2003space\u3000",
        "\U0001f469\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466",
        "\U0001f469\U0001f3fd\u200d\U0001f4bb",
        "\u2764\ufe0f\u200d\U0001f525",
        "\U0001f3f3\ufe0f\u200d\U0001f308",
        "\U0001f9d1\u200d\u2695\ufe0f",
        "\u2600\ufe0f \u2600\ufe0e \u00a9\ufe0f",
        "1\ufe0f\u20e3 #\ufe0f\u20e3 *\ufe0f\u20e3 0\ufe0e",
        "\U0001f1e9\U0001f1ea",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        "\u0915\u094d\u200d\u0937 \u0915\u094d\u200c\u0937",
        "\u0dc1\u0dca\u200d\u0dbb\u0dd3",
        "\u5b57\ufe00 \u8fba\ufe02",
        "\u2229\ufe00",
        "\u1820\u180b\u1821\u180f",
    ],
)
def test_what_has_a_reason_to_stay_stays(text: str) -> None:
    assert clean_characters(text) == (text, 0)


@pytest.mark.parametrize(
    ("text", "left", "count"),
    [
        ("r\u200bm\u200c -r\u200df /", "rm -rf /", 3),
        ("ig\u2061no\u2062re\u2063 me", "ignore me", 3),
        ("a\u2060b\ufeffc\u034fd", "abcd", 3),
        ("soft\u00adhyphen", "softhyphen", 1),
        ("\u115fa\u1160b\u3164c\uffa0", "abc", 4),
        ("Clean\U000e0068\U000e0065\U000e006c\U000e006c\U000e006f", "Clean", 5),
        ("\U000e0001\U000e007f", "", 2),
        ("\U0001f3f4\U000e0067\U000e0062\U000e007f", "\U0001f3f4", 3),
        ("a\u202eb\u202cc\u2066d\u2069e\u200ef\u061cg", "abcdefg", 6),
        ("rm\x00 -rf\x00 /", "rm -rf /", 2),
        ("\x1b[31mred\x1b[0m", "[31mred[0m", 2),
        ("a\x7fb\x80c\x9fd\x08e\x1ff", "abcdef", 5),
        ("a\ufff9b\ufffac\ufffbd", "abcd", 3),
    ],
)
def test_invisible_characters_and_controls_are_taken_out_and_counted(text: str, left: str, count: int) -> None:
    assert clean_characters(text) == (left, count)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("x\ufe0f\U000e0100y", "xy"),
        ("x\ufe0e", "x"),
        ("\ufe0f", ""),
        (" \ufe0f", " "),
        ("\u2600\ufe0f\ufe0f", "\u2600\ufe0f"),
        ("\u2600\ufe0f\ufe0e", "\u2600\ufe0f"),
        ("\U0001f600\ufe0f\U000e0101\U000e0102 done", "\U0001f600\ufe0f done"),
        ("\U0001f600\ufe01", "\U0001f600"),
        ("\U0001f44d\U0001f3fd\ufe0f", "\U0001f44d\U0001f3fd"),
        ("\u5b57\ufe03", "\u5b57"),
        ("\u5b57\U000e0100", "\u5b57"),
        ("\u5b57\ufe00\ufe00", "\u5b57\ufe00"),
        ("+\ufe00 a\ufe00", "+\ufe00 a"),
        ("+\ufe01", "+"),
        ("\u1820\u180e\u1820", "\u1820\u1820"),
        ("\u1820\u180b\u180c", "\u1820\u180b"),
        ("a\u180b", "a"),
        ("\u20e3\ufe0f", "\u20e3"),
        ("\U0001f1e9\ufe0f", "\U0001f1e9"),
    ],
)
def test_one_selector_stays_behind_a_base_that_it_can_select(text: str, left: str) -> None:
    assert clean_characters(text) == (left, len(text) - len(left))


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a\u200db", "ab"),
        ("a\u200cb", "ab"),
        ("\u200d", ""),
        ("\U0001f469\u200d", "\U0001f469"),
        ("\u200d\U0001f469", "\U0001f469"),
        ("\U0001f469\u200da", "\U0001f469a"),
        ("a\u200d\U0001f469", "a\U0001f469"),
        ("1\ufe0f\u200d\U0001f469", "1\ufe0f\U0001f469"),
        ("\U0001f469\u200c\U0001f467", "\U0001f469\U0001f467"),
        ("\U0001f469\u200d\u200d\U0001f467", "\U0001f469\u200d\U0001f467"),
        ("\U0001f469\u200d\u200b\U0001f467", "\U0001f469\U0001f467"),
        ("\u0645\u200c\u200c\u062e", "\u0645\u200c\u062e"),
        ("\u0645\u200c ", "\u0645 "),
        ("\u0645\u200ca", "\u0645a"),
        ("a\u200c\u0645", "a\u0645"),
        ("\u0661\u200c\u0662", "\u0661\u0662"),
        ("\u0661\u200c\u0645", "\u0661\u0645"),
        ("\u0645\u200c\u0661", "\u0645\u0661"),
        ("\u0645\u200c\u060c", "\u0645\u060c"),
        ("\u05d0\u200c\u05d1", "\u05d0\u05d1"),
        ("\u0800\u200c\u180b", "\u0800"),
        ("\U0001f1e9\u200d\U0001f1ea", "\U0001f1e9\U0001f1ea"),
    ],
)
def test_a_joiner_stays_between_letters_that_need_it_and_between_emoji(text: str, left: str) -> None:
    assert clean_characters(text) == (left, len(text) - len(left))


@pytest.mark.parametrize("mark", ["\x0b", "\x0c", "\r", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"])
def test_a_line_break_other_than_lf_becomes_a_space_and_is_not_counted(mark: str) -> None:
    assert clean_characters(f"a{mark}b") == ("a b", 0)


@pytest.mark.parametrize("half", [0xD800, 0xDBFF, 0xDC00, 0xDFFF])
def test_a_lone_surrogate_becomes_a_replacement_character(half: int) -> None:
    assert clean_characters(f"a{chr(half)}b") == ("a\ufffdb", 0)


@pytest.mark.parametrize("span", DEFAULT_IGNORABLE)
def test_no_default_ignorable_character_stays_between_letters(span: str) -> None:
    first, last = ord(span[0]), ord(span[-1])

    assert [hex(code) for code in range(first, last + 1) if clean_characters(f"a{chr(code)}b") != ("ab", 1)] == []


def test_no_format_or_control_character_stays_but_those_that_are_seen() -> None:
    kept = [
        chr(code)
        for code in range(sys.maxunicode + 1)
        if unicodedata.category(chr(code)) in ("Cf", "Cc") and chr(code) in cleaned(f"a{chr(code)}b")
    ]

    assert kept == ["\t", "\n", *VISIBLE_FORMAT]


@given(ANY | TRICKY)
def test_cleaning_twice_changes_nothing(text: str) -> None:
    once = cleaned(text)

    assert clean_characters(once) == (once, 0)


@given(ANY | TRICKY)
def test_a_text_never_gets_longer_and_what_went_is_counted(text: str) -> None:
    left, count = clean_characters(text)

    assert len(left) + count == len(text)
    left.encode()


@given(st.text(st.characters(categories=("L", "N", "P", "Zs"))))
def test_letters_numbers_and_marks_of_punctuation_stay(text: str) -> None:
    assert cleaned(text) == "".join(char for char in text if char not in "\u115f\u1160\u3164\uffa0")


def test_controls_alone_can_be_stripped() -> None:
    assert strip_controls("a\x00\tb\n\x1b\x7f\x80\x9fc\u200b\r\x85") == "a\tb\nc\u200b"
    assert strip_controls("".join(map(chr, range(0x20)))) == "\t\n"


@given(ANY)
def test_stripping_controls_leaves_everything_else(text: str) -> None:
    assert strip_controls(text) == "".join(c for c in text if unicodedata.category(c) != "Cc" or c in "\t\n")
