"""The three lines of a state in a comment."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertulia import outbound
from tertulia.errors import Invalid
from tertulia.event import thread_key
from tertulia.ledger._block import Block, find_block
from tertulia.ledger._seal import Seal
from tertulia.thread import Draft

TERMINAL = "<!-- bot-workflow-terminal -->"
BLOCK = Block(5, "github:acme/demo#7", 3, "eNo-_9", Seal("k1", "ab" * 32))
BODY = f"{TERMINAL}\nWhat the agents read so far.\n{BLOCK.line()}"


def test_what_is_written_is_found() -> None:
    unsigned = Block(5, "github:acme/demo#7", 3, "eNo")

    assert find_block(BODY) == BLOCK
    assert find_block(f"{TERMINAL}\nA sentence.\n{unsigned.line()}") == unsigned


def test_line_ends_and_white_space_of_a_backend_change_nothing() -> None:
    assert find_block(BODY.replace("\n", "\r\n") + " \r\n") == BLOCK


@pytest.mark.parametrize(
    "body",
    [
        "",
        "Hello",
        TERMINAL,
        BLOCK.line(),
        f"Hello\n\n{BLOCK.line()}",
        f" {TERMINAL}\nA sentence.\n{BLOCK.line()}",
        f"<!-- bot-agent-helper -->\nA sentence.\n{BLOCK.line()}",
        f"{TERMINAL}\nA sentence.\n {BLOCK.line()}",
        f"{TERMINAL}\nA sentence.\n{BLOCK.line()}\nand more",
    ],
)
def test_other_comments_have_no_state(body: str) -> None:
    assert find_block(body) is None


@pytest.mark.parametrize(
    "body",
    [
        f"{TERMINAL}\n{BLOCK.line()}",
        f"{TERMINAL}\nA sentence.\n\n{BLOCK.line()}",
        BODY.replace("rev=3", "rev=-3"),
        BODY.replace("rev=3", f"rev={'9' * 21}"),
        BODY.replace("mac=ab", "mac=AB"),
        BODY.replace(" mac=", " mac ="),
        BODY.replace(" kid=k1", ""),
        BODY.replace("data=", "data=+"),
        BODY.replace("data=eNo-_9", "data="),
        BODY.replace("v5", "vv"),
        BODY.replace("acme", "ac me"),
    ],
)
def test_what_only_looks_like_a_state_is_invalid(body: str) -> None:
    with pytest.raises(Invalid):
        find_block(body)


def test_the_json_of_an_older_release_is_found() -> None:
    found = find_block(f'{TERMINAL}\n<!-- workflow-state {{"schema": 4, "rev": 2}} -->')

    assert found == Block(schema=0, thread="", rev=0, data="", plain='{"schema": 4, "rev": 2}')


def test_an_agent_cannot_write_a_state() -> None:
    posted = outbound.prepare(Draft(body=BODY, agent="helper", key="k"), carrier="markdown")

    assert find_block(posted) is None
    assert all(find_block("\n".join(posted.split("\n")[start:])) is None for start in range(posted.count("\n") + 1))


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30), st.text(max_size=30))
def test_any_thread_can_be_named(place: str, root: str) -> None:
    key = Block.ascii(thread_key("github", f"acme/{place}", "7", root.encode("utf-8", "replace").decode()))
    block = Block(5, key, 1, "eNo")

    assert block.line().count("-->") == 1
    assert find_block(f"{TERMINAL}\nA sentence.\n{block.line()}") == block


def test_a_thread_whose_name_is_too_long_is_refused() -> None:
    with pytest.raises(Invalid, match=r"^state: thread: cannot be written in a comment$") as refused:
        Block(5, "x" * 2049, 1, "eNo").line()
    assert refused.value.field == "thread"
