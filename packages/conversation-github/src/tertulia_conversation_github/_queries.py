"""What is asked of GitHub, word by word. Each document is parsed once, and asks for what is needed and no more."""

from __future__ import annotations

from functools import cache

from gql import GraphQLRequest, gql

__all__ = [
    "ADD_COMMENT",
    "ADD_LABELS",
    "CATEGORIES",
    "CLOSE",
    "COLLABORATOR",
    "CONVERSATION",
    "CONVERSATIONS",
    "CREATE",
    "DELETE_COMMENT",
    "DISCUSSION",
    "LOCK",
    "MARK",
    "MESSAGE",
    "MINIMIZE",
    "OWN_CONVERSATIONS",
    "OWN_REPLIES",
    "OWN_ROOTS",
    "REACT",
    "REMOVE_LABELS",
    "REOPEN",
    "THREAD",
    "THREADS",
    "UNLOCK",
    "UNMARK",
    "UPDATE_COMMENT",
    "UPDATE_DISCUSSION",
    "USER",
    "VIEWER",
    "labels",
    "read",
    "read_ids",
]

_ACTOR = """
fragment Who on Actor {
  __typename login
  ... on Bot { databaseId } ... on Mannequin { databaseId } ... on Organization { databaseId } ... on User { databaseId }
}
"""
_COMMENT = (
    """
fragment Said on DiscussionComment {
  id databaseId url body createdAt updatedAt deletedAt lastEditedAt authorAssociation isMinimized minimizedReason
  viewerDidAuthor author { ...Who } editor { ...Who }
}
"""
    + _ACTOR
)
_OPENING = """
fragment Opening on Discussion {
  id databaseId number url title body createdAt updatedAt lastEditedAt authorAssociation viewerDidAuthor
  author { ...Who } editor { ...Who } repository { nameWithOwner }
}
"""
_HEAD = """
fragment Head on Discussion {
  id databaseId number url title createdAt updatedAt authorAssociation author { ...Who } repository { nameWithOwner }
  closed stateReason locked isAnswered answer { databaseId url }
  category { id name slug isAnswerable } labels(first: 100) { nodes { name } }
}
"""
_ID = "fragment Said on DiscussionComment { id databaseId url }"
_FOUND = """
fragment Found on DiscussionComment {
  ...Said replyTo { id databaseId url } discussion { id number repository { nameWithOwner } }
}
"""
_FORWARD = "totalCount pageInfo { hasNextPage endCursor }"
_BACKWARD = "pageInfo { hasPreviousPage startCursor }"
_AT = "$owner: String!, $name: String!, $number: Int!"
_HERE = "repository(owner: $owner, name: $name) { discussion(number: $number)"


DISCUSSION = gql(f"query discussion({_AT}) {{ {_HERE} {{ ...Opening locked }} }} }}" + _OPENING + _ACTOR)

CONVERSATION = gql(f"query conversation({_AT}) {{ {_HERE} {{ ...Head }} }} }}" + _HEAD + _ACTOR)

MESSAGE = gql(
    f"query message($id: ID!, {_AT}) {{ node(id: $id) {{ ...Found }} {_HERE} {{ id }} }} }}" + _FOUND + _COMMENT
)

OWN_ROOTS = gql(
    f"""
query ownRoots({_AT}, $last: Int!, $before: String) {{
  {_HERE} {{ id comments(last: $last, before: $before) {{ {_BACKWARD} nodes {{ ...Said }} }} }} }} }}
"""
    + _COMMENT
)
OWN_REPLIES = gql(
    f"""
query ownReplies($id: ID!, {_AT}, $last: Int!, $before: String) {{
  node(id: $id) {{ ...Found ... on DiscussionComment {{
    replies(last: $last, before: $before) {{ {_BACKWARD} nodes {{ ...Said }} }} }} }} {_HERE} {{ id }} }} }}
"""
    + _FOUND
    + _COMMENT
)
THREAD = gql(
    f"""
query thread($id: ID!, {_AT}, $replies: Int!) {{
  node(id: $id) {{ ...Found ... on DiscussionComment {{
    replies(first: $replies) {{ {_FORWARD} nodes {{ ...Said }} }} }} }} {_HERE} {{ id }} }} }}
"""
    + _FOUND
    + _COMMENT
)

CONVERSATIONS = gql(
    f"""
query conversations($owner: String!, $name: String!, $category: ID, $first: Int!, $after: String) {{
  repository(owner: $owner, name: $name) {{
    discussions(first: $first, after: $after, categoryId: $category, orderBy: {{field: UPDATED_AT, direction: DESC}}) {{
      {_FORWARD} nodes {{ ...Head }} }} }} }}
"""
    + _HEAD
    + _ACTOR
)
OWN_CONVERSATIONS = gql(
    f"""
query ownConversations($owner: String!, $name: String!, $first: Int!, $after: String) {{
  repository(owner: $owner, name: $name) {{
    discussions(first: $first, after: $after, orderBy: {{field: CREATED_AT, direction: DESC}}) {{
      {_FORWARD} nodes {{ ...Head body viewerDidAuthor }} }} }} }}
"""
    + _HEAD
    + _ACTOR
)
THREADS = gql(
    f"""
query threads({_AT}, $first: Int!, $after: String) {{
  {_HERE} {{ id number repository {{ nameWithOwner }}
    comments(first: $first, after: $after) {{ {_FORWARD} nodes {{ ...Said
      replies(last: 1) {{ totalCount nodes {{ createdAt }} }} }} }} }} }} }}
"""
    + _COMMENT
)
CATEGORIES = gql("""
query categories($owner: String!, $name: String!) {
  repository(owner: $owner, name: $name) { id discussionCategories(first: 100) { nodes { id slug } } } }
""")

VIEWER = gql("query viewer { viewer { __typename login databaseId } }")
USER = gql("query user($login: String!) { user(login: $login) { __typename login databaseId } }")
COLLABORATOR = gql("""
query collaborator($owner: String!, $name: String!, $login: String!) {
  repository(owner: $owner, name: $name) {
    collaborators(first: 1, login: $login) { edges { permission node { login databaseId } } } } }
""")

ADD_COMMENT = gql(
    """
mutation addComment($input: AddDiscussionCommentInput!) { addDiscussionComment(input: $input) { comment { ...Found } } }
"""
    + _FOUND
    + _COMMENT
)
UPDATE_COMMENT = gql(
    """
mutation updateComment($input: UpdateDiscussionCommentInput!) {
  updateDiscussionComment(input: $input) { comment { ...Found } } }
"""
    + _FOUND
    + _COMMENT
)
UPDATE_DISCUSSION = gql(
    """
mutation updateDiscussion($input: UpdateDiscussionInput!) {
  updateDiscussion(input: $input) { discussion { ...Opening } } }
"""
    + _OPENING
    + _ACTOR
)
DELETE_COMMENT = gql("""
mutation deleteComment($input: DeleteDiscussionCommentInput!) { deleteDiscussionComment(input: $input) { comment { id } } }
""")
CREATE = gql(
    """
mutation create($input: CreateDiscussionInput!) { createDiscussion(input: $input) { discussion { ...Head } } }
"""
    + _HEAD
    + _ACTOR
)
CLOSE = gql("mutation close($input: CloseDiscussionInput!) { closeDiscussion(input: $input) { discussion { id } } }")
REOPEN = gql(
    "mutation reopen($input: ReopenDiscussionInput!) { reopenDiscussion(input: $input) { discussion { id } } }"
)
LOCK = gql("mutation lock($input: LockLockableInput!) { lockLockable(input: $input) { lockedRecord { locked } } }")
UNLOCK = gql(
    "mutation unlock($input: UnlockLockableInput!) { unlockLockable(input: $input) { unlockedRecord { locked } } }"
)
MARK = gql(
    """
mutation mark($input: MarkDiscussionCommentAsAnswerInput!) {
  markDiscussionCommentAsAnswer(input: $input) { discussion { ...Head } } }
"""
    + _HEAD
    + _ACTOR
)
UNMARK = gql(
    """
mutation unmark($input: UnmarkDiscussionCommentAsAnswerInput!) {
  unmarkDiscussionCommentAsAnswer(input: $input) { discussion { ...Head } } }
"""
    + _HEAD
    + _ACTOR
)
ADD_LABELS = gql("""
mutation addLabels($input: AddLabelsToLabelableInput!) { addLabelsToLabelable(input: $input) { labelable { __typename } } }
""")
REMOVE_LABELS = gql("""
mutation removeLabels($input: RemoveLabelsFromLabelableInput!) {
  removeLabelsFromLabelable(input: $input) { labelable { __typename } } }
""")
MINIMIZE = gql("""
mutation minimize($input: MinimizeCommentInput!) { minimizeComment(input: $input) { minimizedComment { isMinimized } } }
""")
REACT = gql("mutation react($input: AddReactionInput!) { addReaction(input: $input) { reaction { content } } }")


@cache
def read(threads: int, *, roots: bool) -> GraphQLRequest:
    """Ask for the next replies of so many threads, and beside them for a page of roots or not, in one request.

    The threads are `$id0`, `$after0`, ... and come as `t0`, ...; `$first` is for the page that tells about the discussion.
    """
    return _read(threads, _page("...Opening"), _OPENING + _COMMENT) if roots else _read(threads, "", _COMMENT)


@cache
def read_ids(threads: int, *, roots: bool) -> GraphQLRequest:
    """Ask for the same, and of each message for its ids alone."""
    return _read(threads, _page("databaseId") if roots else "", _ID)


@cache
def labels(names: int) -> GraphQLRequest:
    """Ask for the labels of a discussion, and for so many of its repository by name: `$name0`, ... and aliases `l0`, ..."""
    given = "".join(f", $name{n}: String!" for n in range(names))
    wanted = " ".join(f"l{n}: label(name: $name{n}) {{ id name }}" for n in range(names))
    return gql(f"""
query labels({_AT}{given}) {{
  repository(owner: $owner, name: $name) {{
    discussion(number: $number) {{ id labels(first: 100) {{ nodes {{ id name }} }} }} {wanted} }} }}
""")


def _page(above: str) -> str:
    return f"""
  {_HERE} {{ id {above} @include(if: $first)
    comments(first: $roots, after: $after) {{ {_FORWARD} nodes {{ ...Said
      replies(first: $replies) {{ {_FORWARD} nodes {{ ...Said }} }} }} }} }} }}
"""


def _read(threads: int, page: str, fragments: str) -> GraphQLRequest:
    given = f", {_AT}, $roots: Int!, $after: String, $first: Boolean!" if page else ""
    given += "".join(f", $id{n}: ID!, $after{n}: String" for n in range(threads))
    wanted = " ".join(
        f"t{n}: node(id: $id{n}) {{ ... on DiscussionComment {{ "
        f"replies(first: $replies, after: $after{n}) {{ {_FORWARD} nodes {{ ...Said }} }} }} }}"
        for n in range(threads)
    )
    name = "read" if page else "replies"
    return gql(f"query {name}($replies: Int!{given}) {{ {page} {wanted} }}" + fragments)
