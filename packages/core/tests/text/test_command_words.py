"""What makes a word a command, what follows it, and whose it is."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertulia.event import Commands, find_commands
from tertulia.thread import Account


def asked(body: str) -> str | None:
    """Give the command of a text."""
    return find_commands(body).command


@pytest.mark.parametrize("word", ["/ab", "/fix", "/FS-Triage", "/a1", "/a_b", "/a-b", "/a--b", "/x" + "y" * 62])
def test_a_slash_a_letter_and_more_is_a_command_in_lower_case(word: str) -> None:
    assert find_commands(f"{word} now") == Commands(word.lower(), "now", (word.lower(),))


@pytest.mark.parametrize(
    "word",
    [
        "/",
        "/a",
        "/1a",
        "/-a",
        "/_a",
        "/a-",
        "/a_",
        "//ab",
        "ab",
        "a/bc",
        "/usr/bin/env",
        "/ab/",
        "/ab=c",
        "/ab:cd",
        "/ab.cd",
        "/ab\\",
        "**/ab**",
        "\\/ab",
        "&#47;ab",
        "(/ab)",
        "- /ab",
        "# /ab",
        "|/ab|",
        "[/ab](x)",
    ],
)
def test_anything_else_is_none(word: str) -> None:
    assert find_commands(f"{word} now").commands == ()


@pytest.mark.parametrize(
    "word",
    [
        "\uff0fab",
        "\u2215ab",
        "\u2044ab",
        "/\ufb01x",
        "/f\u0131x",
        "/fi\u0445",
        "/\u212aab",
        "/caf\u00e9",
        "/ab\u2011cd",
    ],
)
def test_a_look_alike_is_none(word: str) -> None:
    assert find_commands(word) == Commands()


@pytest.mark.parametrize("end", [".", ",", ";", ":", "!", "?", "...", "?!", ",;:"])
def test_trailing_punctuation_is_stripped(end: str) -> None:
    assert find_commands(f"/fs-fix{end}") == Commands("/fs-fix", None, ("/fs-fix",))
    assert find_commands(f"/fs-fix{end} now") == Commands("/fs-fix", "now", ("/fs-fix",))


@pytest.mark.parametrize("end", [")", "-", "'", "*", "`", "\u2026", "\u3002", "\ufe0f"])
def test_no_other_mark_is(end: str) -> None:
    assert asked(f"/fix{end}") is None


@pytest.mark.parametrize(
    "mark",
    ["\u200b", "\u200c", "\u200d", "\u200e", "\u200f", "\u2060", "\ufeff", "\u00ad", "\u202e", "\u2066", "\U000e0041"],
)
def test_format_characters_are_removed_from_the_word(mark: str) -> None:
    assert unicodedata.category(mark) == "Cf"
    assert find_commands(f"{mark}/a{mark}pprove{mark}! @ana") == Commands("/approve", "@ana", ("/approve",))
    assert find_commands(f"{mark} /approve") == Commands("/approve", None, ("/approve",))
    assert find_commands(f"{mark} {mark}{mark} /approve a b c").instruction == "a b c"


def test_they_stay_in_the_instruction() -> None:
    assert find_commands("/run \U0001f469\u200d\U0001f4bb").instruction == "\U0001f469\u200d\U0001f4bb"
    assert find_commands("/run a\u200bb").instruction == "a\u200bb"


@pytest.mark.parametrize(("length", "found"), [(64, True), (65, False)])
def test_a_command_is_64_characters_long_at_most(length: int, found: bool) -> None:
    word = "/" + "x" * (length - 1)

    assert asked(word) == (word if found else None)
    assert asked(word + "!!!") == (word if found else None)
    assert asked("\u200b".join(word)) == (word if found else None)


def test_a_word_that_is_mostly_invisible_is_not_read() -> None:
    assert asked("/fi" + "\u200b" * 1021) == "/fi"
    assert asked("/fi" + "\u200b" * 1022) is None


@pytest.mark.parametrize("space", [" ", "\t", "\u00a0", "\u2003", "\u3000", "\u2028", "\x0b", "\x1f"])
def test_white_space_is_unicode_white_space(space: str) -> None:
    assert find_commands(f"{space}/fix{space}now{space}{space}please{space}") in (
        Commands("/fix", "now please", ("/fix",)),
        Commands(),
    )
    assert find_commands(f"/fix{space}now{space}{space}please{space}") == Commands("/fix", "now please", ("/fix",))


def test_a_no_break_space_may_stand_before_a_command() -> None:
    assert asked("\u00a0/fix") == "/fix"


@pytest.mark.parametrize(("length", "kept"), [(4095, 4095), (4096, 4096), (4097, 4096)])
def test_an_instruction_is_cut_to_4096_code_points(length: int, kept: int) -> None:
    assert find_commands("/run " + "\U0001f680" * length).instruction == "\U0001f680" * kept


def test_it_is_collapsed_before_it_is_cut() -> None:
    assert find_commands("/run " + "a \t " * 5000).instruction == ("a " * 2048)


@pytest.mark.parametrize("body", ["/fix", "/fix ", "/fix\t\u00a0", "/fix <!-- x -->", "/fix...", "/fix\nmore"])
def test_an_absent_instruction_is_absent(body: str) -> None:
    assert find_commands(body) == Commands("/fix", None, ("/fix",))


@pytest.mark.parametrize(
    ("prefixes", "ours"),
    [
        ((), True),
        (("/fs-",), True),
        (("/FS-",), True),
        (("/fs-fix",), True),
        (("/FS-Fix",), True),
        (("/fs",), False),
        (("/fs-fi",), False),
        (("/fs-fix-",), False),
        (("fs-fix",), False),
        (("/other", "/fs-"), True),
    ],
)
def test_a_prefix_that_ends_in_a_hyphen_matches_a_start_and_any_other_the_whole(
    prefixes: tuple[str, ...], ours: bool
) -> None:
    assert find_commands("/fs-fix it").matches(prefixes) is ours


def test_no_command_is_nobodys() -> None:
    assert not find_commands("fs-fix\n/fs-fix").matches(())
    assert not find_commands("fs-fix\n/fs-fix").matches(("/fs-",))


@pytest.mark.parametrize(
    "mention",
    [
        "@scribe",
        "@Scribe",
        "@scribe[bot]",
        "@SCRIBE[BOT]",
        "<@U500>",
        "<@u500>",
        "<@B7>",
        "<@A9>",
        "@scribe,",
        "<@U500>:",
        "@scribe ,",
    ],
)
def test_a_leading_mention_of_the_engine_is_taken_off_and_remembered(engine: Account, mention: str) -> None:
    assert find_commands(f"{mention} /ask why", engine=engine) == Commands("/ask", "why", ("/ask",), True)
    assert find_commands(f"{mention}\n/ask why", engine=engine) == Commands("/ask", "why", ("/ask",), True)
    assert find_commands(f"{mention} please look", engine=engine) == Commands(None, None, (), True)
    assert find_commands(mention, engine=engine) == Commands(None, None, (), True)


def test_the_id_of_one_ends_with_its_bracket(engine: Account) -> None:
    assert find_commands("<@U500>please", engine=engine) == Commands(None, None, (), True)
    assert find_commands("<@U500>/ask", engine=engine) == Commands("/ask", None, ("/ask",), True)


def test_so_are_several(engine: Account) -> None:
    assert find_commands("@scribe, <@U500>: @scribe[bot] /ask @scribe", engine=engine) == Commands(
        "/ask", "@scribe", ("/ask",), True
    )


@pytest.mark.parametrize(
    "start",
    [
        "@scriber",
        "@scribe-x",
        "@scribe_x",
        "@scribe1",
        "@scribe[x]",
        "@scrib",
        "@U500",
        "@ scribe",
        "<@U5000>",
        "<@U500",
        "@",
        "@\u00e9",
        "@\u017fcribe",
    ],
)
def test_a_mention_of_somebody_else_is_not(engine: Account, start: str) -> None:
    assert find_commands(f"{start} /ask", engine=engine) == Commands()


@pytest.mark.parametrize(
    "body", ["hi @scribe /ask", "> @scribe\n\nhi", "`@scribe` hi", "hi\n@scribe", "<!-- @scribe --> hi"]
)
def test_a_mention_elsewhere_addresses_nobody(engine: Account, body: str) -> None:
    assert find_commands(body, engine=engine) == Commands()


def test_a_mention_before_a_later_command_is_taken_off_too(engine: Account) -> None:
    assert find_commands("hi\n@scribe /ask", engine=engine) == Commands(None, None, ("/ask",), False)


def test_a_person_can_be_the_engine() -> None:
    person = Account(id="7", login="ana")

    assert find_commands("@ana[bot] /ask", engine=person) == Commands("/ask", None, ("/ask",), True)
    assert find_commands("@ana: /ask", engine=person) == Commands("/ask", None, ("/ask",), True)


def test_a_name_beyond_ascii_has_no_case_either() -> None:
    assert find_commands("@\u00e9VA /ask", engine=Account(id="7", login="\u00c9va")).addressed


def test_an_engine_nobody_can_name_is_not_mentioned() -> None:
    nobody = Account(login="")

    assert find_commands("@ /ask", engine=nobody) == Commands()
    assert find_commands("<@> /ask", engine=nobody) == Commands()
    assert find_commands("<@None> /ask", engine=nobody) == Commands()


def test_an_unknown_engine_is_not_mentioned() -> None:
    assert find_commands("@scribe /ask") == Commands()


PIECES = [
    *("/ab", "/FS-Fix", "/a", "/A1_b", "/x" * 40, "/café", "@a", "@b", "<@b>", "<@a", "!", ",.", "word", "1", "-", "/"),
    *("\n", "\r\n", "\n\n", " ", "\t", "    ", "\u00a0", "\u2028", "\u200b", "\ufeff", "\ud800"),
    *("> ", "- ", "```\n", "~~~\n", "`", "<!--", "-->", "<div>", "[a]: /u", "|", "\\"),
]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join) | st.text())
def test_whatever_is_found_is_a_command_that_was_written(text: str) -> None:
    found = find_commands(text, engine=Account(id="b", login="a"))

    assert all(word == word.lower() and word.isascii() and 3 <= len(word) <= 64 for word in found.commands)
    assert all(word in text.lower().replace("\u200b", "").replace("\ufeff", "") for word in found.commands)
    assert found.command is None or found.command == found.commands[0]
    assert found.instruction is None or (found.command is not None and found.instruction.strip() != "")


def test_an_edit_asks_for_what_it_added_and_nothing_again() -> None:
    before = find_commands("/retry\nthanks")

    assert find_commands("/retry (flaky net)").added_to(before) == Commands()
    assert find_commands("/retry\n/label infra").added_to(before) == Commands(commands=("/label",))
    assert find_commands("/retry\n/retry").added_to(before) == Commands(commands=("/retry",))
    assert find_commands("/ask why").added_to(before) == Commands("/ask", "why", ("/ask",))


def test_an_edit_addresses_the_engine_with_a_new_mention_or_a_new_command(engine: Account) -> None:
    before = find_commands("@scribe thanks", engine=engine)

    assert find_commands("@scribe hello", engine=engine).added_to(find_commands("hello")).addressed
    assert find_commands("@scribe /ask", engine=engine).added_to(before).addressed
    assert not find_commands("@scribe thank you", engine=engine).added_to(before).addressed
    assert not find_commands("thanks", engine=engine).added_to(before).addressed


def test_an_account_whose_name_only_begins_as_the_engines_is_not_the_engine() -> None:
    assert find_commands("@MAXINE /ask", engine=Account(login="max")) == Commands()
