"""The grammar, the markers and the cleaning agree about what a reader sees."""

from collections.abc import Callable

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tertulia._text import clean, excerpt, find_marker, own_lines, scan
from tertulia.event import find_commands

Numbered = Callable[[list[str]], tuple[str, list[str]]]

PIECES = [
    "\n",
    "\n",
    "\n\n",
    "/%",
    "/%\n",
    "% ",
    "\n/% %\n",
    "`",
    "``",
    "```\n",
    "~~~\n",
    "<!--",
    "-->",
    "<!-- % -->",
    "<!-- /%\n-->",
]
PIECES += [
    "<!-- bot-agent-% -->\n",
    "\n<!-- bot-agent-% -->",
    "    ",
    "> ",
    ">",
    "- ",
    "1. ",
    "# ",
    "===\n",
    "---\n",
    "[a]: /% '",
    "'",
]
PIECES += [
    "[a]",
    "[b]: %\n",
    "](/%)",
    "[",
    "|",
    "|-|\n",
    "|a|\n|-|\n",
    "<div>\n",
    "</div>",
    "<b>",
    "<b c='",
    "'>",
    "<?",
    "?>",
    "\\",
]
PIECES += ["[^n]: ", "[^n]", "<pre>\n", "</pre>", "--!>", "<!X ", "\t", "\r", "\u2028", "\u200b"]
BODIES = st.lists(st.sampled_from(PIECES), max_size=25)

MANY = settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@MANY
@given(BODIES)
def test_what_the_scanner_hides_is_in_nothing(numbered: Numbered, pieces: list[str]) -> None:
    body, words = numbered(pieces)
    seen = scan(body)
    visible = "\n".join(seen.visible(line) for line in seen.lines)
    hidden = [word for word in words if word not in visible]

    commands = find_commands(body)

    text = clean(body).text
    assert [word for word in hidden if word in text] == []
    assert [word for word in hidden if word in excerpt(body, 4000)] == []
    assert [word for word in hidden if f"/{word}" in commands.commands or word in (commands.instruction or "")] == []


@MANY
@given(BODIES)
def test_what_it_shows_is_in_the_cleaned_text_and_every_command_too(numbered: Numbered, pieces: list[str]) -> None:
    body, words = numbered(pieces)
    seen = scan(body)

    text = clean(body).text

    assert [word for line in seen.lines for word in words if word in seen.visible(line) and word not in text] == []
    assert [command for command in find_commands(body).commands if command not in text] == []


@MANY
@given(BODIES)
def test_a_marker_that_counts_is_one_that_a_reader_does_not_see(numbered: Numbered, pieces: list[str]) -> None:
    body, _ = numbered(pieces)

    marker = find_marker(body)

    assert marker is None or marker.name not in clean(body).text


@MANY
@given(BODIES)
def test_quoted_and_fenced_lines_and_those_that_begin_in_code_carry_neither(
    numbered: Numbered, pieces: list[str]
) -> None:
    body, words = numbered(pieces)
    seen = scan(body)
    lines = {word: line for line in seen.lines for word in words if word in seen.raw(line)}

    commands = find_commands(body).commands
    carriers = [line for word, line in lines.items() if any(word in command for command in commands)]
    marker = find_marker(body)

    assert all(line.kind in ("text", "html") and not line.quoted and not line.in_code for line in carriers)
    if marker is not None:
        places = [line for word, line in lines.items() if word in marker.name]
        assert all(line.kind == "html" and not line.quoted and not line.in_comment for line in places)


@MANY
@given(BODIES)
def test_cleaning_with_a_scan_and_without_is_one(pieces: list[str]) -> None:
    body = "".join(pieces)

    assert clean(body) == clean(body, scanned=scan(body))
    assert find_marker(body) == find_marker(body, scanned=scan(body))


@MANY
@given(BODIES, st.sampled_from(["", "\n", "\n \n", " "]))
def test_an_answer_is_unwrapped_with_a_scan_and_without_in_one_way(pieces: list[str], end: str) -> None:
    body = f"<!-- bot-agent-a -->\n{''.join(pieces)}\n<!-- tertulia key={'0' * 32} -->{end}"
    marker, seen = find_marker(body), scan(body)

    assert marker is not None
    assert marker == find_marker(body, scanned=seen)
    own = own_lines(body, marker)
    assert own == own_lines(body, marker, seen)
    assert clean(body, own) == clean(body, own, seen)


@MANY
@given(BODIES)
def test_spans_that_are_hidden_lie_on_their_line_in_order(pieces: list[str]) -> None:
    seen = scan("".join(pieces))

    for line in seen.lines:
        edges = [edge for span in line.hidden for edge in span]
        assert edges == sorted(edges)
        assert all(line.start <= edge <= line.end for edge in edges)
