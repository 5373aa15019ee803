"""Which line of a text carries the command."""

import pytest

from tertulia.event import Commands, find_commands


def asked(body: str) -> str | None:
    """Give the command of a text."""
    return find_commands(body).command


def listed(body: str) -> tuple[str, ...]:
    """Give all commands of a text."""
    return find_commands(body).commands


def test_a_text_without_a_command_asks_for_nothing() -> None:
    assert find_commands("looks good to me") == Commands(None, None, (), False)
    assert find_commands("") == Commands()


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_line_ends_at_lf_crlf_and_cr(end: str) -> None:
    found = find_commands(f"/fix the null check{end}Please.{end}/label bug{end}")

    assert found == Commands("/fix", "the null check", ("/fix", "/label"))


@pytest.mark.parametrize("mark", ["\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"])
def test_a_line_ends_at_nothing_else(mark: str) -> None:
    assert find_commands(f"hello{mark}/fix") == Commands()
    assert find_commands(f"> hello{mark}/fix{mark}") == Commands()
    assert find_commands(f"/fix now{mark}/label") == Commands("/fix", "now /label", ("/fix",))


def test_a_byte_order_mark_is_dropped() -> None:
    assert asked("\ufeff/fix") == "/fix"
    assert asked("\ufeff    /fix") is None
    assert find_commands("\ufeff> /fix") == Commands()


@pytest.mark.parametrize(
    "body",
    [
        "> /merge major\n\nPlease wait",
        "> > /merge\nno",
        ">/merge",
        "   > /merge",
        "> - /merge",
        "- > /merge",
        "> hello\n/merge",
        "> - hello\n/merge",
        "> hello\n    /merge",
        "> > hello\n> /merge",
    ],
)
def test_quoted_text_carries_no_command_and_neither_does_a_lazy_line(body: str) -> None:
    assert find_commands(body) == Commands()


@pytest.mark.parametrize(
    "body", ["> hello\n\n/merge", "> # hello\n/merge", "> ```\n/merge", "> <!--\n/merge", ">\n/merge"]
)
def test_a_quote_ends_where_nothing_in_it_goes_on(body: str) -> None:
    assert asked(body) == "/merge"


@pytest.mark.parametrize(
    "body",
    [
        "Use:\n```\n/approve\n```\n",
        "```\n/approve",
        "~~~\n/approve\n~~~",
        "````\n```\n/approve\n````",
        "```\n~~~\n/approve\n```",
        "```\n    ```\n/approve\n```",
        "``` sh\n/approve\n```",
        "```\n``` x\n/approve\n```",
        "- ```\n  /approve\n\n  /approve\n  ```",
    ],
)
def test_fenced_text_carries_no_command(body: str) -> None:
    assert find_commands(body) == Commands()


@pytest.mark.parametrize(
    "body",
    [
        "```\nx\n```\n/approve",
        "~~~ ` ~~~\nx\n~~~~~\n/approve",
        "``` `\n/approve",
        "- ```\n/approve",
        "```\nx\n   ```\t\n/approve",
    ],
)
def test_a_fence_ends_at_as_many_of_its_marks_or_with_its_container(body: str) -> None:
    assert "/approve" in listed(body)


@pytest.mark.parametrize(
    "body", ["    /fix", "\t/fix", "  \t/fix", "-     /fix", "a\n\n    /fix", "1.  a\n\n        /fix", "# a\n    /fix"]
)
def test_indented_code_carries_no_command(body: str) -> None:
    assert find_commands(body) == Commands()


def test_an_indented_line_of_a_paragraph_is_no_code() -> None:
    assert listed("a\n    /fix") == ("/fix",)
    assert asked("   /fix") == "/fix"


@pytest.mark.parametrize(
    "body",
    [
        "<!--\nTo set an owner write:\n/assign @user\n-->\nSomething broke",
        "<!-- never closed\n/assign",
        "<!-- a <!-- b -->\n/assign\n-->",
        "<!-- a\n\n/assign",
        "text <!-- a\n/assign\n-->",
        "text <!-- a\n\n/assign",
        "<!--\n```\n-->\n<!--\n/assign",
        "<?a\n/assign\n?>",
        "<div>\n<!--\n\n/assign",
    ],
)
def test_a_comment_carries_no_command(body: str) -> None:
    assert find_commands(body).commands == ()


@pytest.mark.parametrize(
    "body",
    ["<!-- a -->\n/run", "<!-- a\nb -->\n/run", "<!-- a --> /run", "<!-- <!-- a --> -->\n/run", "<!-- ``` -->\n/run"],
)
def test_the_first_line_with_visible_text_decides(body: str) -> None:
    assert asked(body) == "/run"


@pytest.mark.parametrize("body", ["\n\n  \n/run", "\u200b\n/run", "\x00\n/run", "\u200e \u2060\n/run"])
def test_a_line_without_visible_text_does_not_decide(body: str) -> None:
    assert asked(body) == "/run"


def test_a_command_further_down_is_listed_but_does_not_decide() -> None:
    assert find_commands("thanks!\n\n/retro") == Commands(None, None, ("/retro",))


@pytest.mark.parametrize("word", ["x" * 2_000, "/" + "x" * 2_000, "/x" * 33])
def test_a_word_too_long_for_a_command_decides_that_there_is_none(word: str) -> None:
    assert find_commands(f"{word} now\n/retro") == Commands(None, None, ("/retro",))


def test_every_command_that_stands_first_on_a_visible_line_is_listed_in_order() -> None:
    body = "/label bug\nthanks\n/assign ana\n> /quoted\n\n/label p1\nplease /not\n"

    assert find_commands(body) == Commands("/label", "bug", ("/label", "/assign", "/label"))


@pytest.mark.parametrize(("count", "kept"), [(99, 99), (100, 100), (101, 100)])
def test_a_hundred_commands_are_listed_at_most(count: int, kept: int) -> None:
    body = "".join(f"/c{number}\n" for number in range(count))

    assert listed(body) == tuple(f"/c{number}" for number in range(kept))


def test_the_first_line_decides_even_when_it_is_a_quoted_words_neighbour() -> None:
    assert find_commands("> quoted\n\nPlease wait\n/merge") == Commands(None, None, ("/merge",))


@pytest.mark.parametrize(
    "body",
    [
        "Type `/approve` to accept",
        "`\n/approve`",
        "``a\n/approve ` x``",
        "`a\n/approve\n/approve`",
        "[a](/u 'b\n/approve\n')",
        "![a\n/approve](/u)",
        "<a title='\n/approve\n'>",
        "<div title='\n/approve\n'>",
        "<div title='\n\n/approve",
        '<div title="\n/approve\n">',
        '<div title="\n\n/approve',
        '<div title = "it\'s >\n/approve\n">',
        "<div title='a\" >\n/approve\n'>",
        "<div\n/approve>",
        "a <?b> <c d='?>\n/approve",
    ],
)
def test_a_line_that_begins_inside_code_or_a_tag_carries_no_command(body: str) -> None:
    assert listed(body) == ()


@pytest.mark.parametrize(
    "body",
    [
        "`a`\n/approve",
        "`a\n\n/approve `",
        "\\`a\n/approve `",
        "`` a\n/approve `",
        "<http://a`>\n/approve `",
        "<a b='`'>\n/approve `",
        "[a](`)\n/approve `",
        "[a][b`]\n/approve `\n\n[b`]: /c",
        "<div title='a'>\n/approve",
        '<div title="a">\n/approve',
        "<div title=a'>\n/approve",
        "<div>\n</1 a='>\n/approve",
        "<div>\n<!1 a='>\n/approve",
        "<div>\n<? a='>\n/approve",
        "<div>\n<!-->\n/approve",
        "<div>\n<!-- a=' -->\n/approve",
        "<div>a='\n/approve",
        "<div title='a\n'>\n/approve",
        "> <div title='a\n\n/approve",
        "a `\n- b\n\n/approve `",
        "# `\n/approve `",
        "|`a|\n|-|\n/approve `",
        "[a](/u 'b\n')\n/approve",
    ],
)
def test_a_code_span_ends_where_markdown_ends_it(body: str) -> None:
    assert listed(body) == ("/approve",)


def test_a_code_span_is_visible_text_and_stays_in_the_instruction() -> None:
    assert find_commands("/run `make  test` now").instruction == "`make test` now"
    assert find_commands("/run `make\ntest`").instruction == "`make"
    assert find_commands("`x`\n/run") == Commands(None, None, ("/run",))


def test_what_is_hidden_on_the_line_is_not_part_of_the_instruction() -> None:
    assert find_commands("/run a <!-- b --> c").instruction == "a c"
    assert find_commands("/run a <!-- b\nc --> d") == Commands("/run", "a", ("/run",))


def test_unused_definitions_and_used_ones_carry_no_command() -> None:
    assert find_commands("[a]: b '\n/run\n'") == Commands()
    assert find_commands("[a]: b '\n/run\n'\n\n[a]").commands == ()
    assert listed("[a]: b\n/run") == ("/run",)


def test_a_footnote_nobody_refers_to_carries_no_command() -> None:
    assert find_commands("[^a]:\n    /run\n") == Commands()
    assert listed("[^a]:\n    /run\n\nb[^a]") == ("/run",)


@pytest.mark.parametrize(
    "body",
    [
        "|a|\n|-|\n    /run",
        "|a|\n|-|\n/x|`\n\n    /run`",
        "a\n===\n    /run",
        "a\n-\n    /run",
        "- a\n- b\n\n      /run",
    ],
)
def test_what_ends_a_paragraph_lets_code_begin(body: str) -> None:
    assert "/run" not in listed(body)
