"""Reading: everything that a conversation's client selects."""

from base64 import b64encode
from typing import Any

from github_discussions import Discussion, Discussions, Refusal

THREADS = """
query ($number: Int!) {
  repository(owner: "Acme", name: "DEMO") {
    discussion(number: $number) {
      comments(first: 100) {
        totalCount
        nodes { id body replies(first: 100) { totalCount nodes { id body replyTo { id } } } }
      }
    }
  }
}
"""
ABOUT = """
query {
  repository(owner: "acme", name: "demo") {
    id nameWithOwner isPrivate hasDiscussionsEnabled viewerPermission
    discussion(number: 7) {
      id databaseId number title body bodyText url resourcePath createdAt updatedAt lastEditedAt includesCreatedEdit
      author { __typename login url ... on User { databaseId } } authorAssociation
      category { id name slug emoji isAnswerable } labels(first: 10) { nodes { name } }
      closed closedAt stateReason locked activeLockReason isAnswered answer { id } poll { question }
      viewerDidAuthor viewerCanUpdate viewerCanDelete viewerCanLabel viewerCanClose viewerCanReopen viewerCanReact
    }
  }
}
"""
AUTHORS = """
query ($id: ID!) {
  node(id: $id) {
    ... on Discussion {
      comments(first: 10) {
        nodes { author { __typename login ... on Bot { databaseId } } authorAssociation }
      }
    }
  }
}
"""


def test_a_discussion_has_threads_and_flat_replies(site: Discussions, talk: Discussion, ask: Any) -> None:
    root = site.say(talk, "Why?")
    reply = site.reply(root, "So.")

    comments = ask(THREADS, number=7)["data"]["repository"]["discussion"]["comments"]

    assert [(one["id"], one["body"]) for one in comments["nodes"]] == [(root.id, "Why?")]
    below = comments["nodes"][0]["replies"]
    assert below["nodes"] == [{"id": reply.id, "body": "So.", "replyTo": {"id": root.id}}]
    assert (comments["totalCount"], below["totalCount"]) == (1, 1)


def test_a_discussion_tells_what_it_is_about(site: Discussions, talk: Discussion, ask: Any) -> None:
    talk.labels = [site.label("bug")]

    repository = ask(ABOUT)["data"]["repository"]

    told = repository.pop("discussion")
    assert repository == {
        "id": site.repo.id,
        "nameWithOwner": "acme/demo",
        "isPrivate": False,
        "hasDiscussionsEnabled": True,
        "viewerPermission": "READ",
    }
    assert (told["number"], told["title"], told["body"]) == (7, "It fails", "Since Monday.")
    assert told["url"] == "https://github.com/acme/demo/discussions/7"
    assert told["author"] == {
        "__typename": "User",
        "login": "alice",
        "url": "https://github.com/alice",
        "databaseId": 1001,
    }
    assert (told["category"]["name"], told["category"]["isAnswerable"]) == ("General", False)
    assert told["labels"] == {"nodes": [{"name": "bug"}]}
    assert told["createdAt"].startswith("2026-10-01T00:00:")
    assert [name for name, value in told.items() if value is True] == ["viewerCanReact"]


def test_an_answer_is_told_by_the_discussion_and_by_the_comment(site: Discussions, ask: Any) -> None:
    talk = site.open(category="Q&A")
    root = site.say(talk)
    site.mark(root, talk)

    query = (
        "query ($id: ID!) { node(id: $id) { ... on Discussion { isAnswered answer { id isAnswer } answerChosenAt } } }"
    )
    told = ask(query, id=talk.id)["data"]["node"]

    assert told["answer"] == {"id": root.id, "isAnswer": True}
    assert told["isAnswered"] is True


def test_authors_are_people_bots_mannequins_and_nobody(site: Discussions, talk: Discussion, ask: Any) -> None:
    site.person("helper-app", 77, kind="Bot")
    site.person("old-carol", kind="Mannequin")
    site.repo.associations["bob"] = "MEMBER"
    for by in ("bob", "helper-app", "old-carol", None):
        site.say(talk, by=by)

    nodes = ask(AUTHORS, id=talk.id)["data"]["node"]["comments"]["nodes"]

    assert nodes == [
        {"author": {"__typename": "User", "login": "bob"}, "authorAssociation": "MEMBER"},
        {"author": {"__typename": "Bot", "login": "helper-app", "databaseId": 77}, "authorAssociation": "NONE"},
        {"author": {"__typename": "Mannequin", "login": "old-carol"}, "authorAssociation": "MANNEQUIN"},
        {"author": None, "authorAssociation": "NONE"},
    ]


def test_the_viewer_that_is_a_bot_has_its_suffix(site: Discussions, ask: Any) -> None:
    site.person("helper-app", 77, kind="Bot")
    site.token("ghs_app", "helper-app", is_app=True)

    told = ask("{ viewer { __typename login databaseId } }", token="ghs_app")

    assert told["data"]["viewer"] == {"__typename": "User", "login": "helper-app[bot]", "databaseId": 77}


def test_who_wrote_a_comment_is_told_its_viewer(site: Discussions, talk: Discussion, ask: Any) -> None:
    own = site.say(talk, by="helper")
    query = (
        "query ($id: ID!) { node(id: $id) { ... on DiscussionComment { viewerDidAuthor viewerCannotUpdateReasons } } }"
    )

    assert ask(query, id=own.id)["data"]["node"] == {"viewerDidAuthor": True, "viewerCannotUpdateReasons": []}
    site.lock(talk)
    other = ask(query, id=site.say(talk).id)["data"]["node"]
    assert other == {"viewerDidAuthor": False, "viewerCannotUpdateReasons": ["INSUFFICIENT_ACCESS", "LOCKED"]}


def test_things_are_looked_up_by_id_of_today_and_of_before(site: Discussions, talk: Discussion, ask: Any) -> None:
    comment = site.say(talk)
    legacy = b64encode(f"017:DiscussionComment{comment.database_id}".encode()).decode()

    told = ask("query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }", ids=[talk.id, comment.id, legacy])

    one = {"__typename": "DiscussionComment", "id": comment.id}
    assert told["data"]["nodes"] == [{"__typename": "Discussion", "id": talk.id}, one, one]


def test_what_is_not_there_is_null_with_an_error_in_its_place(site: Discussions, talk: Discussion, ask: Any) -> None:
    told = ask("query ($ids: [ID!]!) { nodes(ids: $ids) { id } }", ids=[talk.id, "DC_nothing", "8801"])

    assert told["data"]["nodes"] == [{"id": talk.id}, None, None]
    assert [(one["type"], one["path"], one["message"]) for one in told["errors"]] == [
        ("NOT_FOUND", ["nodes", 1], "Could not resolve to a node with the global id of 'DC_nothing'"),
        ("NOT_FOUND", ["nodes", 2], "Could not resolve to a node with the global id of '8801'"),
    ]


def test_a_number_that_no_discussion_has_leaves_the_rest(ask: Any) -> None:
    told = ask('{ viewer { login } repository(owner: "acme", name: "demo") { discussion(number: 404) { id } } }')

    assert told["data"] == {"viewer": {"login": "helper"}, "repository": {"discussion": None}}
    (error,) = told["errors"]
    assert (error["type"], error["path"]) == ("NOT_FOUND", ["repository", "discussion"])
    assert error["message"] == "Could not resolve to a Discussion with the number of 404."


def test_a_private_repository_is_hidden_from_who_has_no_role_there(site: Discussions, ask: Any) -> None:
    repo = site.repository("acme/secret", private=True)
    talk = site.open(repo=repo)
    query = 'query ($id: ID!) { repository(owner: "acme", name: "secret") { id } node(id: $id) { id } }'

    hidden = ask(query, id=talk.id)
    repo.roles["helper"] = "READ"

    assert hidden["data"] == {"repository": None, "node": None}
    assert [error["type"] for error in hidden["errors"]] == ["NOT_FOUND", "NOT_FOUND"]
    assert ask(query, id=talk.id)["data"] == {"repository": {"id": repo.id}, "node": {"id": talk.id}}


def test_a_list_may_hold_null_with_and_without_an_error(site: Discussions, talk: Discussion, ask: Any) -> None:
    silent, loud, whole = (site.say(talk) for _ in range(3))
    site.spoil(silent)
    site.spoil(loud, Refusal("FORBIDDEN", "Resource not accessible by integration"))

    told = ask(THREADS, number=7)

    comments = told["data"]["repository"]["discussion"]["comments"]
    assert [one and one["id"] for one in comments["nodes"]] == [None, None, whole.id]
    assert comments["totalCount"] == 3
    (error,) = told["errors"]
    assert (error["type"], error["path"]) == ("FORBIDDEN", ["repository", "discussion", "comments", "nodes", 1])


def test_a_transferred_discussion_is_somewhere_else(site: Discussions, talk: Discussion, ask: Any) -> None:
    root, before = site.say(talk), talk.id
    site.transfer(talk, site.repository("acme/other"))
    query = """query ($id: ID!) { node(id: $id) { ... on Discussion {
      number repository { name } comments(first: 9) { nodes { id } } } } }"""

    told = ask(query, id=talk.id)["data"]["node"]

    assert told == {"number": 1001, "repository": {"name": "other"}, "comments": {"nodes": [{"id": root.id}]}}
    assert ask(query, id=before)["data"] == {"node": None}
    assert ask(THREADS, number=7)["errors"][0]["type"] == "NOT_FOUND"


def test_the_old_name_of_a_repository_leads_to_it(site: Discussions, talk: Discussion, ask: Any) -> None:
    site.rename(site.repo, "alice/shop")
    query = """query ($follow: Boolean) { repository(owner: "acme", name: "demo", followRenames: $follow) {
      nameWithOwner discussion(number: 7) { url } } }"""

    followed = ask(query)["data"]["repository"]

    assert followed["nameWithOwner"] == "alice/shop"
    assert followed["discussion"] == {"url": "https://github.com/alice/shop/discussions/7"}
    assert ask(query, follow=False)["errors"][0]["type"] == "NOT_FOUND"


def test_reactions_are_counted_by_content(site: Discussions, talk: Discussion, ask: Any) -> None:
    for by in ("bob", "helper", "bob"):
        site.react(talk, "EYES", by)
    query = """query ($id: ID!) { node(id: $id) { ... on Discussion {
      reactions(first: 9, content: EYES) { nodes { content user { login } } }
      reactionGroups { content viewerHasReacted reactors(first: 9) { totalCount } } } } }"""

    told = ask(query, id=talk.id)["data"]["node"]

    assert [one["user"]["login"] for one in told["reactions"]["nodes"]] == ["bob", "helper"]
    assert told["reactionGroups"] == [{"content": "EYES", "viewerHasReacted": True, "reactors": {"totalCount": 2}}]


def test_what_is_not_modelled_is_said_and_never_null(talk: Discussion, send: Any) -> None:
    status, _, raw = send('{ repository(owner: "acme", name: "demo") { stargazerCount } }')

    assert status == 500
    assert b"stargazer_count" in raw
