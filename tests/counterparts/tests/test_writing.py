"""Writing comments: what lands, and what is refused."""

from typing import Any

import pytest

from github_discussions import Discussion, Discussions

ADD = "mutation ($input: AddDiscussionCommentInput!) { addDiscussionComment(input: $input) { comment { id url } } }"
EDIT = """mutation ($input: UpdateDiscussionCommentInput!) { updateDiscussionComment(input: $input) {
  comment { body lastEditedAt editor { login } } } }"""
DELETE = "mutation ($id: ID!) { deleteDiscussionComment(input: {id: $id}) { comment { id deletedAt } } }"
COMMENTS = """query { repository(owner: "acme", name: "demo") { discussion(number: 7) { comments(first: 9) {
  nodes { id body deletedAt author { login } replies(first: 9) { nodes { id } } } } } } }"""


def refusal(answer: Any, mutation: str) -> tuple[str, str]:
    """Give type and message of the one error of a mutation that was refused."""
    assert answer["data"] == {mutation: None}
    (error,) = answer["errors"]
    assert error["path"] == [mutation]
    return error["type"], error["message"]


def test_a_comment_lands_under_its_root(site: Discussions, talk: Discussion, ask: Any) -> None:
    root = site.say(talk)

    answer = ask(ADD, input={"discussionId": talk.id, "replyToId": root.id, "body": "So."})

    (reply,) = root.replies
    assert answer["data"]["addDiscussionComment"]["comment"] == {
        "id": reply.id,
        "url": f"https://github.com/acme/demo/discussions/7#discussioncomment-{reply.database_id}",
    }
    assert (reply.body, reply.author) == ("So.", site.people["helper"])


def test_a_comment_without_a_root_starts_a_thread_and_moves_the_discussion(
    site: Discussions, talk: Discussion, ask: Any
) -> None:
    before = talk.updated_at

    ask(ADD, input={"discussionId": talk.id, "body": "Why?", "replyToId": None, "clientMutationId": "1"})

    (root,) = talk.comments
    assert (root.body, root.reply_to) == ("Why?", None)
    assert talk.updated_at == root.created_at > before


def test_a_reply_to_a_reply_is_refused(site: Discussions, talk: Discussion, ask: Any) -> None:
    reply = site.reply(site.say(talk))

    answer = ask(ADD, input={"discussionId": talk.id, "replyToId": reply.id, "body": "So."})

    message = "Parent comment is already in a thread, cannot reply to it"
    assert refusal(answer, "addDiscussionComment") == ("UNPROCESSABLE", message)


def test_a_root_of_another_discussion_is_refused(site: Discussions, talk: Discussion, ask: Any) -> None:
    root = site.say(site.open())

    answer = ask(ADD, input={"discussionId": talk.id, "replyToId": root.id, "body": "So."})

    assert refusal(answer, "addDiscussionComment")[0] == "UNPROCESSABLE"


@pytest.mark.parametrize("ident", ["7", "8801", "D_kwDO", ""])
def test_an_id_that_is_no_node_id_is_refused(talk: Discussion, ask: Any, ident: str) -> None:
    answer = ask(ADD, input={"discussionId": ident, "body": "So."})

    message = f"Could not resolve to a node with the global id of '{ident}'"
    assert refusal(answer, "addDiscussionComment") == ("NOT_FOUND", message)


def test_the_id_of_another_kind_of_thing_is_refused(site: Discussions, talk: Discussion, ask: Any) -> None:
    comment = site.say(talk)

    answer = ask(ADD, input={"discussionId": comment.id, "body": "So."})

    assert refusal(answer, "addDiscussionComment")[0] == "NOT_FOUND"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("", "Body can't be blank"),
        (" \n", "Body can't be blank"),
        ("ä" * 65_537, "Body is too long (maximum is 65536 characters)"),
    ],
)
def test_a_body_has_something_in_it_and_an_end(talk: Discussion, ask: Any, body: str, message: str) -> None:
    answer = ask(ADD, input={"discussionId": talk.id, "body": body})

    assert refusal(answer, "addDiscussionComment") == ("UNPROCESSABLE", message)
    assert talk.comments == []


def test_a_body_of_65536_characters_lands(talk: Discussion, ask: Any) -> None:
    ask(ADD, input={"discussionId": talk.id, "body": "ä" * 65_536})

    assert len(talk.comments[0].body) == 65_536


def test_an_edit_tells_who_did_it_and_when(site: Discussions, talk: Discussion, ask: Any) -> None:
    own = site.say(talk, by="helper")

    answer = ask(EDIT, input={"commentId": own.id, "body": "Better."})

    told = answer["data"]["updateDiscussionComment"]["comment"]
    assert told == {"body": "Better.", "lastEditedAt": own.updated_at, "editor": {"login": "helper"}}
    assert own.updated_at > own.created_at


def test_a_deleted_root_with_replies_leaves_a_tombstone(site: Discussions, talk: Discussion, ask: Any) -> None:
    root = site.say(talk, by="helper")
    reply = site.reply(root)

    told = ask(DELETE, id=root.id)["data"]["deleteDiscussionComment"]["comment"]

    (left,) = ask(COMMENTS)["data"]["repository"]["discussion"]["comments"]["nodes"]
    assert told["id"] == left["id"] == root.id
    assert (left["body"], left["author"], left["deletedAt"]) == ("", None, told["deletedAt"])
    assert left["replies"]["nodes"] == [{"id": reply.id}]


def test_anything_else_that_is_deleted_is_gone(site: Discussions, talk: Discussion, ask: Any) -> None:
    root = site.say(talk)
    reply, bare = site.reply(root, by="helper"), site.say(talk, by="helper")

    for comment in (reply, bare):
        assert "errors" not in ask(DELETE, id=comment.id)
        assert refusal(ask(DELETE, id=comment.id), "deleteDiscussionComment")[0] == "NOT_FOUND"

    assert (talk.comments, root.replies) == ([root], [])


def test_a_deleted_answer_answers_nothing(site: Discussions, ask: Any) -> None:
    talk = site.open(category="Q&A")
    root = site.say(talk, by="helper")
    site.mark(root, talk)

    ask(DELETE, id=root.id)

    assert talk.answer is None
    assert talk.is_answered is False
