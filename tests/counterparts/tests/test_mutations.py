"""The other mutations: what they change, and what they answer."""

from typing import Any

import pytest

from github_discussions import Discussion, Discussions

CREATE = "mutation ($input: CreateDiscussionInput!) { createDiscussion(input: $input) { discussion { number url } } }"
CLOSE = """mutation ($input: CloseDiscussionInput!) { closeDiscussion(input: $input) {
  clientMutationId discussion { closed stateReason closedAt } } }"""
REOPEN = "mutation ($id: ID!) { reopenDiscussion(input: {discussionId: $id}) { discussion { closed stateReason closedAt } } }"
LOCK = """mutation ($input: LockLockableInput!) { lockLockable(input: $input) {
  actor { login } lockedRecord { __typename locked activeLockReason } } }"""
UNLOCK = (
    "mutation ($id: ID!) { unlockLockable(input: {lockableId: $id}) { unlockedRecord { locked activeLockReason } } }"
)
LABELS = """mutation ($id: ID!, $add: [ID!]!, $remove: [ID!]!) {
  addLabelsToLabelable(input: {labelableId: $id, labelIds: $add}) { labelable { ... on Discussion { number } } }
  removeLabelsFromLabelable(input: {labelableId: $id, labelIds: $remove}) {
    labelable { labels(first: 9) { nodes { name } } } } }"""
MARK = "mutation ($id: ID!) { markDiscussionCommentAsAnswer(input: {id: $id}) { discussion { answer { id } } } }"
UNMARK = "mutation ($id: ID!) { unmarkDiscussionCommentAsAnswer(input: {id: $id}) { discussion { answer { id } } } }"
MINIMIZE = """mutation ($input: MinimizeCommentInput!) { minimizeComment(input: $input) {
  minimizedComment { isMinimized minimizedReason } } }"""
SHOW = "mutation ($id: ID!) { unminimizeComment(input: {subjectId: $id}) { unminimizedComment { isMinimized minimizedReason } } }"
REACT = """mutation ($input: AddReactionInput!) { addReaction(input: $input) {
  subject { id } reaction { content user { login } } } }"""
UNREACT = "mutation ($input: RemoveReactionInput!) { removeReaction(input: $input) { reaction { content } } }"


@pytest.fixture
def maintainer(site: Discussions) -> None:
    """Let helper maintain acme/demo."""
    site.repo.roles["helper"] = "MAINTAIN"


def test_a_discussion_is_started_in_a_category(site: Discussions, ask: Any) -> None:
    question = site.repo.categories[1]
    given = {"repositoryId": site.repo.id, "categoryId": question.id, "title": "How?", "body": "So?"}

    told = ask(CREATE, input=given)["data"]["createDiscussion"]["discussion"]

    assert told == {"number": 1, "url": "https://github.com/acme/demo/discussions/1"}
    made = site.repo.discussions[1]
    assert (made.title, made.body, made.category, made.author) == ("How?", "So?", question, site.people["helper"])


def test_only_maintainers_announce(site: Discussions, ask: Any) -> None:
    given = {"repositoryId": site.repo.id, "categoryId": site.repo.categories[2].id, "title": "New", "body": "So."}

    refused = ask(CREATE, input=given)
    site.repo.roles["helper"] = "MAINTAIN"

    assert refused["errors"][0]["type"] == "FORBIDDEN"
    assert "errors" not in ask(CREATE, input=given)


def test_a_category_of_another_repository_is_refused(site: Discussions, ask: Any) -> None:
    other = site.repository("acme/other").categories[0]
    given = {"repositoryId": site.repo.id, "categoryId": other.id, "title": "New", "body": "So."}

    assert ask(CREATE, input=given)["errors"][0]["type"] == "UNPROCESSABLE"


def test_a_title_has_an_end(site: Discussions, ask: Any) -> None:
    given = {"repositoryId": site.repo.id, "categoryId": site.repo.categories[0].id, "title": "x" * 257, "body": "So."}

    assert ask(CREATE, input=given)["errors"][0]["message"] == "Title is too long (maximum is 256 characters)"


def test_closing_has_a_reason_which_reopening_replaces(maintainer: None, talk: Discussion, ask: Any) -> None:
    closed = ask(CLOSE, input={"discussionId": talk.id, "clientMutationId": "x"})["data"]["closeDiscussion"]
    outdated = ask(CLOSE, input={"discussionId": talk.id, "reason": "OUTDATED"})["data"]["closeDiscussion"]
    opened = ask(REOPEN, id=talk.id)["data"]["reopenDiscussion"]["discussion"]

    assert closed["clientMutationId"] == "x"
    assert (closed["discussion"]["closed"], closed["discussion"]["stateReason"]) == (True, "RESOLVED")
    assert outdated["discussion"]["stateReason"] == "OUTDATED"
    assert opened == {"closed": False, "stateReason": "REOPENED", "closedAt": None}


def test_a_lock_may_have_a_reason(maintainer: None, talk: Discussion, ask: Any) -> None:
    locked = ask(LOCK, input={"lockableId": talk.id, "lockReason": "OFF_TOPIC"})["data"]["lockLockable"]
    unlocked = ask(UNLOCK, id=talk.id)["data"]["unlockLockable"]["unlockedRecord"]

    record = {"__typename": "Discussion", "locked": True, "activeLockReason": "OFF_TOPIC"}
    assert locked == {"actor": {"login": "helper"}, "lockedRecord": record}
    assert unlocked == {"locked": False, "activeLockReason": None}


def test_labels_are_stuck_on_once_and_taken_off(
    maintainer: None, site: Discussions, talk: Discussion, ask: Any
) -> None:
    bug, idea = site.label("bug"), site.label("idea")
    talk.labels = [bug]

    told = ask(LABELS, id=talk.id, add=[bug.id, idea.id, idea.id], remove=[bug.id])["data"]

    assert told["removeLabelsFromLabelable"]["labelable"]["labels"]["nodes"] == [{"name": "idea"}]
    assert talk.labels == [idea]


def test_a_comment_becomes_the_answer_and_ceases_to_be(maintainer: None, site: Discussions, ask: Any) -> None:
    talk = site.open(category="Q&A")
    reply = site.reply(site.say(talk))

    marked = ask(MARK, id=reply.id)["data"]["markDiscussionCommentAsAnswer"]["discussion"]
    unmarked = ask(UNMARK, id=reply.id)["data"]["unmarkDiscussionCommentAsAnswer"]["discussion"]

    assert (marked, unmarked) == ({"answer": {"id": reply.id}}, {"answer": None})


def test_a_comment_is_hidden_for_a_reason(maintainer: None, site: Discussions, talk: Discussion, ask: Any) -> None:
    comment = site.say(talk)

    hidden = ask(MINIMIZE, input={"subjectId": comment.id, "classifier": "OFF_TOPIC"})["data"]["minimizeComment"]
    shown = ask(SHOW, id=comment.id)["data"]["unminimizeComment"]["unminimizedComment"]

    assert hidden["minimizedComment"] == {"isMinimized": True, "minimizedReason": "off-topic"}
    assert shown == {"isMinimized": False, "minimizedReason": None}


def test_a_discussion_cannot_be_hidden(maintainer: None, talk: Discussion, ask: Any) -> None:
    told = ask(MINIMIZE, input={"subjectId": talk.id, "classifier": "SPAM"})

    assert told["errors"][0]["type"] == "NOT_FOUND"


def test_somebody_reacts_once_with_each_sign(site: Discussions, talk: Discussion, ask: Any) -> None:
    comment = site.say(talk)
    given = {"subjectId": comment.id, "content": "ROCKET"}

    first, again = (ask(REACT, input=given)["data"]["addReaction"] for _ in range(2))
    gone, missing = ask(UNREACT, input=given), ask(UNREACT, input=given)

    assert first == again
    assert first == {"subject": {"id": comment.id}, "reaction": {"content": "ROCKET", "user": {"login": "helper"}}}
    assert gone["data"]["removeReaction"] == {"reaction": {"content": "ROCKET"}}
    assert missing["errors"][0]["type"] == "UNPROCESSABLE"
    assert comment.reactions == []
