"""Writing: what lands, and what is refused."""

from typing import Any

from github_discussions import Discussion, Discussions

ADD = "mutation ($input: AddDiscussionCommentInput!) { addDiscussionComment(input: $input) { comment { id url } } }"


def test_a_comment_lands_under_its_root(site: Discussions, talk: Discussion, ask: Any) -> None:
    root = site.say(talk)

    answer = ask(ADD, input={"discussionId": talk.id, "replyToId": root.id, "body": "So."})

    (reply,) = root.replies
    assert answer["data"]["addDiscussionComment"]["comment"] == {
        "id": reply.id,
        "url": f"https://github.com/acme/demo/discussions/7#discussioncomment-{reply.database_id}",
    }
    assert (reply.body, reply.author) == ("So.", site.people["helper"])


def test_a_reply_to_a_reply_is_refused(site: Discussions, talk: Discussion, ask: Any) -> None:
    reply = site.reply(site.say(talk))

    answer = ask(ADD, input={"discussionId": talk.id, "replyToId": reply.id, "body": "So."})

    assert answer["data"] == {"addDiscussionComment": None}
    (error,) = answer["errors"]
    assert (error["type"], error["path"]) == ("UNPROCESSABLE", ["addDiscussionComment"])
    assert error["message"] == "Parent comment is already in a thread, cannot reply to it"
