"""Comments: their threads, their authors, and what they ask for."""

from typing import Any

import pytest

from tertulia.thread import Account, ThreadRef

HELPER = Account(id="900", login="helper[bot]", kind="bot")


def comment_of(native: Any, event: Any, body: str | None = "hello", action: str = "created", **fields: Any) -> Any:
    transport = {key: fields.pop(key) for key in ("engine",) if key in fields}
    payload = native.payload(
        "issue_comment", action, comment=native.comment(body, **fields.pop("comment", {})), **fields
    )
    return event("issue_comment", payload, **transport).transition.comment


@pytest.mark.parametrize(("action", "kind"), [("created", "added"), ("edited", "edited"), ("deleted", "deleted")])
@pytest.mark.parametrize("name", ["issue_comment", "pull_request_review_comment"])
def test_a_comment_is_added_edited_and_deleted(native: Any, event: Any, name: str, action: str, kind: str) -> None:
    made = event(name, native.payload(name, action))

    assert made.transition.kind == f"comment_{kind}"
    assert made.source.raw_type == name
    assert made.transition.comment.body == "hello"


def test_a_comment_carries_its_author_and_its_place(native: Any, event: Any) -> None:
    made = event("issue_comment", native.payload("issue_comment", "created"))

    assert made.document()["transition"]["comment"] == {
        "id": "104",
        "parent_id": "104",
        "body": "hello",
        "author": {"id": "1002", "login": "bob", "kind": "human"},
        "handle": "IC_104",
        "created_at": "2026-10-01T11:00:00Z",
        "url": "https://github.com/acme/demo/issues/7#issuecomment-104",
    }


def test_a_comment_on_an_issue_is_answered_in_the_issue(native: Any, event: Any) -> None:
    made = event("issue_comment", native.payload("issue_comment", "created"))

    assert ThreadRef.of(made) == ThreadRef(conversation="acme/demo#7")


@pytest.mark.parametrize(
    ("reply_to", "root"), [({}, "104"), ({"in_reply_to_id": None}, "104"), ({"in_reply_to_id": 99}, "99")]
)
def test_a_review_comment_belongs_to_the_thread_it_answers(
    native: Any, event: Any, reply_to: dict[str, Any], root: str
) -> None:
    """GitHub leaves `in_reply_to_id` out on the first comment of a thread."""
    name = "pull_request_review_comment"
    made = event(name, native.payload(name, "created", comment=native.comment(**reply_to)))

    assert (made.transition.comment.id, made.transition.comment.parent_id) == ("104", root)
    assert ThreadRef.of(made).root == root
    assert (made.entity.kind, made.entity.id, made.state.change_proposal.id) == ("change_proposal", 8, 8)


def test_ids_are_decimal_and_may_be_large(native: Any, event: Any) -> None:
    assert comment_of(native, event, comment={"id": 4870591746}).id == "4870591746"


@pytest.mark.parametrize("fields", [{}, {"user": None}])
def test_the_author_may_not_be_the_sender(native: Any, event: Any, fields: dict[str, Any]) -> None:
    made = comment_of(native, event, sender=native.user("carol", 3), comment=fields)

    assert made.author.login == ("ghost" if fields else "bob")
    assert made.author.id == (None if fields else "1002")


@pytest.mark.parametrize("association", ["OWNER", "NONE"])
def test_who_edits_a_comment_acts_and_not_its_author(native: Any, event: Any, association: str) -> None:
    comment = native.comment("/run", user=native.user(), author_association=association)
    changes = {"body": {"from": "hello"}}

    made = event("issue_comment", native.payload("issue_comment", "edited", comment=comment, changes=changes))

    assert made.transition.comment.command == "/run"
    assert (made.actor.id, made.actor.account_id, made.transition.comment.author.login) == ("bob", "1002", "alice")
    assert (made.actor.role, made.actor.role_verified, made.actor.is_entity_author) == ("none", False, False)


def test_an_author_nobody_names_is_absent(native: Any, event: Any) -> None:
    payload = native.payload("issue_comment", "created")
    del payload["comment"]["user"]

    assert event("issue_comment", payload).transition.comment.author is None


def test_a_bots_comment_says_so_and_is_read_like_any_other(native: Any, event: Any) -> None:
    made = comment_of(native, event, "/review", comment={"user": native.user("renovate[bot]", 7, type="Bot")})

    assert made.author.kind == "bot"
    assert made.command == "/review"


@pytest.mark.parametrize("body", [None, ""])
def test_an_empty_comment_is_a_comment(native: Any, event: Any, body: str | None) -> None:
    assert comment_of(native, event, body).body == ""


def test_a_body_is_cut_to_4096_code_points(native: Any, event: Any) -> None:
    assert comment_of(native, event, "\U0001f469" * 70_000).body == "\U0001f469" * 4096


def test_the_instruction_is_read_before_the_body_is_cut(native: Any, event: Any) -> None:
    made = comment_of(native, event, "\n" * 5000 + "/fix the build")

    assert (made.command, made.instruction) == ("/fix", "the build")
    assert made.body == "\n" * 4096


def test_what_stands_behind_256_kib_is_not_read(native: Any, event: Any) -> None:
    assert comment_of(native, event, "\n" * (256 * 1024) + "/fix").command is None
    assert comment_of(native, event, "\n" * (256 * 1024 - 4) + "/fix").command == "/fix"


def test_a_command_is_found_with_its_instruction(native: Any, event: Any) -> None:
    made = comment_of(native, event, "/FS-Triage now\r\nplease\r\n/label p1")

    assert (made.command, made.instruction) == ("/fs-triage", "now")
    assert made.commands == ("/fs-triage", "/label")


@pytest.mark.parametrize(
    "body", ["> /merge major\n\nPlease wait", "```\n/approve\n```", "<!--\n/assign @x\n-->\nBroken", "hi"]
)
def test_what_is_quoted_hidden_or_code_asks_for_nothing(native: Any, event: Any, body: str) -> None:
    made = comment_of(native, event, body)

    assert (made.command, made.instruction, made.commands) == (None, None, None)


@pytest.mark.parametrize(
    ("body", "command", "instruction"),
    [
        ("/fs-fix...", "/fs-fix", None),
        ("> /fs-code quoted", None, None),
        ("/FS-Triage now", "/fs-triage", "now"),
        ("thanks!\n\n/fs-retro", None, None),
        ("/fs-code\u200b go", "/fs-code", "go"),
        ("\ufeff/approve", "/approve", None),
        ("/run \U0001f469\u200d\U0001f4bb", "/run", "\U0001f469\u200d\U0001f4bb"),
    ],
)
def test_the_first_visible_line_decides(
    native: Any, event: Any, body: str, command: str | None, instruction: str | None
) -> None:
    made = comment_of(native, event, body)

    assert (made.command, made.instruction or None) == (command, instruction)


@pytest.mark.parametrize(("engine", "addressed"), [(None, None), (HELPER, True)])
def test_a_mention_addresses_an_engine_that_is_known(native: Any, event: Any, engine: Any, addressed: Any) -> None:
    made = comment_of(native, event, "@helper please look", engine=engine)

    assert (made.addressed, made.command) == (addressed, None)


def test_who_mentions_nobody_addresses_nobody(native: Any, event: Any) -> None:
    assert comment_of(native, event, "please look", engine=HELPER).addressed is False


def edited(native: Any, event: Any, before: Any, after: str, **transport: Any) -> Any:
    changes = before if isinstance(before, dict) else {"body": {"from": before}}
    return comment_of(native, event, after, "edited", changes=changes, **transport)


@pytest.mark.parametrize(
    ("before", "after", "command", "commands"),
    [
        ("/retry", "/retry (flaky net)", None, None),
        ("/retry (flaky net)", "/retry\n/label infra", None, ("/label",)),
        ("no command", "fixed typo", None, None),
        ("no command", "/retry now", "/retry", ("/retry",)),
        ("/retry", "/merge now", "/merge", ("/merge",)),
        ("/merge\n/retry", "/retry\n/merge", "/retry", None),
        ("/label a", "/label a\n/label b\n/label c", None, ("/label", "/label")),
        ("/retry", "never mind", None, None),
        ("> /retry", "/retry", "/retry", ("/retry",)),
        ("", "/retry", "/retry", ("/retry",)),
    ],
)
def test_an_edit_carries_only_what_it_added(
    native: Any, event: Any, before: str, after: str, command: str | None, commands: Any
) -> None:
    made = edited(native, event, before, after)

    assert (made.command, made.commands) == (command, commands)
    assert (made.instruction is not None) <= (command is not None)


@pytest.mark.parametrize(
    "changes", [{}, {"body": {}}, {"body": True}, {"body": {"from": None}}, {"title": True}, None, [], 5]
)
def test_an_edit_that_does_not_show_the_old_text_asks_for_nothing(native: Any, event: Any, changes: Any) -> None:
    made = comment_of(native, event, "@helper /retry now", "edited", changes=changes, engine=HELPER)

    assert (made.command, made.instruction, made.commands, made.addressed) == (None, None, None, None)


def test_an_edit_without_changes_asks_for_nothing(native: Any, event: Any) -> None:
    assert comment_of(native, event, "/retry", "edited").command is None


@pytest.mark.parametrize(
    ("before", "after", "addressed"),
    [("look", "@helper look", True), ("@helper look", "@helper looks", False), ("@helper look", "@helper /fix", True)],
)
def test_an_edit_addresses_when_it_adds_the_mention_or_a_command(
    native: Any, event: Any, before: str, after: str, addressed: bool
) -> None:
    assert edited(native, event, before, after, engine=HELPER).addressed is addressed


def test_a_deleted_comment_asks_for_nothing(native: Any, event: Any) -> None:
    made = comment_of(native, event, "@helper /retry", "deleted", engine=HELPER, changes={"body": {"from": ""}})

    assert made.body == "@helper /retry"
    assert (made.command, made.instruction, made.commands, made.addressed) == (None, None, None, None)


APP = {"id": 77, "slug": "helper"}


@pytest.mark.parametrize(
    ("engine", "fields"),
    [
        (HELPER, {"user": {"login": "helper[bot]", "id": 900, "type": "Bot"}}),
        (HELPER, {"user": {"login": "renamed[bot]", "id": 900}}),
        (HELPER, {"user": {"login": "helper"}}),
        (HELPER, {"user": {"login": "Helper[BOT]"}}),
        (Account(login="helper"), {"user": {"login": "helper[bot]", "id": 900}}),
        (Account(id="1", login="helper", aliases=frozenset({"900"})), {"user": {"login": "x", "id": 900}}),
        (HELPER, {"performed_via_github_app": APP}),
        (Account(id="1", login="other", aliases=frozenset({"77"})), {"performed_via_github_app": APP}),
    ],
)
@pytest.mark.parametrize("action", ["created", "edited"])
def test_the_engine_never_commands_itself(native: Any, event: Any, engine: Account, fields: Any, action: str) -> None:
    made = comment_of(
        native, event, "@helper /review", action, comment=fields, engine=engine, changes={"body": {"from": ""}}
    )

    assert made.body == "@helper /review"
    assert (made.command, made.instruction, made.commands, made.addressed) == (None, None, None, None)


@pytest.mark.parametrize(
    ("engine", "fields"),
    [
        (HELPER, {"user": {"login": "helper[bot]", "id": 901}}),
        (HELPER, {"user": {"login": "bob", "id": 1002}}),
        (HELPER, {"user": {"login": "helper-two"}}),
        (HELPER, {"user": None}),
        (HELPER, {"performed_via_github_app": {"id": 5, "slug": "other"}}),
        (Account(id="5", login="helper"), {"performed_via_github_app": APP}),
        (Account(login="ghost", placeholder=True), {"user": {"login": "ghost", "id": 10137}}),
        (None, {"user": {"login": "helper[bot]", "id": 900}}),
    ],
)
def test_another_account_is_not_the_engine(native: Any, event: Any, engine: Any, fields: Any) -> None:
    assert comment_of(native, event, "/review", comment=fields, engine=engine).command == "/review"


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"id": "104"}, "comment.id"),
        ({"id": None}, "comment.id"),
        ({"body": 5}, "comment.body"),
        ({"body": ["x"]}, "comment.body"),
        ({"node_id": "x" * 256}, "comment.node_id"),
        ({"html_url": "data:text/html,x"}, "comment.html_url"),
        ({"html_url": "https://github.com/a b"}, "comment.html_url"),
        ({"html_url": "https://github.com/\n"}, "comment.html_url"),
        ({"html_url": f"https://github.com/{'x' * 2048}"}, "comment.html_url"),
        ({"html_url": 5}, "comment.html_url"),
        ({"created_at": "yesterday"}, "comment.created_at"),
        ({"created_at": 1700000000}, "comment.created_at"),
        ({"updated_at": "2026-10-01T10:00:00"}, "comment.updated_at"),
        ({"updated_at": "0001-01-01T00:00:00+14:00"}, "comment.updated_at"),
        ({"updated_at": "9999-12-31T23:59:59-12:00"}, "comment.updated_at"),
        ({"in_reply_to_id": "99"}, "comment.in_reply_to_id"),
        ({"user": "bob"}, "comment.user"),
    ],
)
def test_a_wrong_comment_is_refused_and_the_field_named(
    native: Any, refused: Any, fields: dict[str, Any], field: str
) -> None:
    payload = native.payload("issue_comment", "created", comment=native.comment(**fields))

    assert refused("issue_comment", payload).field == field


def test_a_refused_address_is_not_repeated(native: Any, refused: Any) -> None:
    payload = native.payload("issue_comment", "created", comment=native.comment(html_url="ftp://secret.example"))

    told = str(refused("issue_comment", payload))

    assert told == "github issue_comment: comment.html_url: must be a web address of at most 2048 characters"


@pytest.mark.parametrize("url", ["", None])
def test_a_comment_may_have_no_page(native: Any, event: Any, url: str | None) -> None:
    assert comment_of(native, event, "hello", comment={"html_url": url}).url is None


def test_a_comment_without_an_id_is_refused(native: Any, refused: Any) -> None:
    payload = native.payload("issue_comment", "created")
    del payload["comment"]["id"]

    assert refused("issue_comment", payload).field == "comment.id"
