"""Reading a discussion: everything that a conversation's client selects."""

from typing import Any

from github_discussions import Discussion, Discussions

THREADS = """
query ($number: Int!, $first: Int, $after: String, $below: Int = 100) {
  repository(owner: "acme", name: "demo") {
    discussion(number: $number) {
      comments(first: $first, after: $after) {
        totalCount
        pageInfo { hasNextPage endCursor }
        nodes {
          id body
          replies(first: $below) { totalCount pageInfo { hasNextPage endCursor } nodes { id body replyTo { id } } }
        }
      }
    }
  }
}
"""


def test_a_discussion_has_threads_and_flat_replies(site: Discussions, talk: Discussion, ask: Any) -> None:
    root = site.say(talk, "Why?")
    reply = site.reply(root, "So.")

    comments = ask(THREADS, number=7, first=100)["data"]["repository"]["discussion"]["comments"]

    assert [(one["id"], one["body"]) for one in comments["nodes"]] == [(root.id, "Why?")]
    below = comments["nodes"][0]["replies"]
    assert below["nodes"] == [{"id": reply.id, "body": "So.", "replyTo": {"id": root.id}}]
    assert (comments["totalCount"], below["totalCount"]) == (1, 1)
