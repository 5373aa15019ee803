"""How requests are answered, and what a broken wire makes of the answers."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from graphql import (
    DocumentNode,
    GraphQLError,
    GraphQLSyntaxError,
    OperationType,
    execute_sync,
    parse,
    validate,
)

from github_discussions._cost import Cost, fields, operation
from github_discussions._models import Account
from github_discussions._queries import resolve, type_of
from github_discussions._refusals import Refusal, over_resources
from github_discussions._schema import published
from github_discussions._session import Session
from github_discussions._store import Store
from tertulia.testing.line import BAD_GATEWAY, Line
from tertulia.testing.loopback import Reply, Request, Server
from tertulia.testing.wire import Fault

__all__ = ["Discussions", "Token", "secondary"]

Json = dict[str, Any]
_HOUR = 3600
_MOST_NODES = 500_000
_WRITING = frozenset({"repo", "public_repo", "write:discussion"})


@dataclass(frozen=True)
class Token:
    """What a token opens: somebody's account, in these scopes. An app's token has permissions in their place."""

    account: Account
    scopes: frozenset[str]
    is_app: bool = False

    @property
    def headers(self) -> dict[str, str]:
        """Tell the scopes with every answer, as GitHub does of classic tokens."""
        return {} if self.is_app else {"x-oauth-scopes": ", ".join(sorted(self.scopes))}


def secondary(status: int = 403, retry_after: int | None = None) -> Reply:
    """Make the answer of a secondary limit, which points that are left do not prevent."""
    words = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
    waiting = {} if retry_after is None else {"retry-after": str(retry_after)}
    return Reply(status, {"message": words}, {"x-ratelimit-remaining": "4000", **waiting})


class Discussions(Store, Line):
    """Answer GraphQL on a server. `break_with` breaks the wire; `refuse` says what comes next is answered with.

    `widest` is the largest page that is not refused as too much work, `costliest` the same for the possible nodes of a
    whole request. `points` are what an account has an hour, `used` what it has spent. `lost` is the answer to a write that
    the fault loses or drops.
    """

    def __init__(self, server: Server) -> None:
        Store.__init__(self)
        Line.__init__(self)
        self.server = server
        self.url = f"{server.url}/graphql"
        self.tokens: dict[str, Token] = {}
        self.widest: int | None = None
        self.costliest: int | None = None
        self.points: int = 5000
        self.used: Counter[str] = Counter()
        self.writes: int = 0
        self.lost: Reply = BAD_GATEWAY
        self._epoch = 0
        self._next_replies: list[Reply] = []
        self.token("token-of-helper")
        server.route("POST", r"(/api)?/graphql", self.answer)

    def token(
        self, token: str, by: str = "helper", scopes: tuple[str, ...] = ("repo",), *, is_app: bool = False
    ) -> None:
        """Issue a token. An app's has the permission `write:discussion`, or it has not."""
        self.tokens[token] = Token(self.people[by], frozenset(scopes), is_app)

    def expire(self) -> None:
        """Let all cursors that were given out expire."""
        self._epoch += 1

    def refuse(self, *replies: Reply) -> None:
        """Answer the next requests with these, one each; nothing is carried out."""
        self._next_replies += replies

    def answer(self, request: Request) -> Reply:
        """Give the reply to a request."""
        with self._lock:
            given = request.json()
            document = _parsed(given["query"])
            writes = isinstance(document, DocumentNode) and operation(document).operation is OperationType.MUTATION
            self.writes += writes
            reply = self._early(request, writes) or self._asked(request, document, given.get("variables") or {})
            if self.fault is Fault.LOSE and writes:
                self.mend()
                return self.lost
            held = self.holds(writes)
        return self.send(reply, held=held)

    def _early(self, request: Request, writes: bool) -> Reply | None:
        """Give the answer of who does not look at what is asked."""
        if self._next_replies:
            return self._next_replies.pop(0)
        match self.fault:
            case Fault.DENY:
                return Reply(401, {"message": "Bad credentials", "status": "401"})
            case Fault.LIMIT:
                return _answered(None, [self._limited("the fault")], _spent(self.points, self.points))
            case Fault.CUT:
                return Reply(200, {"data": None, "message": "never read whole"}, cut=4)
            case Fault.MOVE:
                return Reply(307, {}, {"location": f"{self.elsewhere}{request.path}"})
            case Fault.DROP if writes:
                self.mend()
                return self.lost
            case _:
                return None

    def _asked(self, request: Request, document: DocumentNode | GraphQLSyntaxError, variables: Json) -> Reply:
        token = self.tokens.get(request.headers.get("authorization", "").partition(" ")[2])
        if token is None:
            return Reply(401, {"message": "Bad credentials", "status": "401"})
        if isinstance(document, GraphQLSyntaxError):
            return _answered(None, [_formatted(document)], {})
        wrong = _invalid(document) or _beyond(document, token)
        if wrong:
            return _answered(None, wrong, {})
        return self._counted(document, variables, token)

    def _counted(self, document: DocumentNode, variables: Json, token: Token) -> Reply:
        """Answer what is not too much, by the limits there are, and take its points."""
        login = token.account.login
        cost = Cost.of(document, variables)
        if cost.nodes > _MOST_NODES:
            words = f"This query requests up to {cost.nodes:,} possible nodes which exceeds the maximum limit of"
            return _answered(None, [_error("MAX_NODE_LIMIT_EXCEEDED", f"{words} {_MOST_NODES:,}.")], {})
        if self.used[login] + cost.points > self.points:
            return _answered(None, [self._limited(str(token.account.database_id))], _spent(self.points, self.points))
        self.used[login] += cost.points
        headers = _spent(self.points, self.used[login]) | token.headers
        if self.costliest is not None and cost.nodes > self.costliest:
            names = [node.alias or node.name for node in fields(document, operation(document).selection_set)]
            too_much = over_resources()
            errors = [{**_error(too_much.kind, too_much.message), "path": [name.value]} for name in names]
            return _answered({name.value: None for name in names}, errors, headers)
        return self._executed(document, variables, self._session(token, cost), headers)

    def _executed(self, document: DocumentNode, variables: Json, session: Session, headers: dict[str, str]) -> Reply:
        done = execute_sync(
            published(),
            document,
            context_value=session,
            variable_values=variables,
            field_resolver=resolve,
            type_resolver=type_of,
        )
        broken = [error for error in done.errors or () if isinstance(error.original_error, AttributeError | KeyError)]
        if broken:
            return Reply(500, {"message": f"the counterpart does not model this: {broken[0]}"})
        return _answered(done.data, [_formatted(error) for error in done.errors or ()], headers, executed=True)

    def _session(self, token: Token, cost: Cost) -> Session:
        used = self.used[token.account.login]
        rate = {
            "cost": cost.points,
            "limit": self.points,
            "nodeCount": cost.nodes,
            "remaining": self.points - used,
            "used": used,
            "resetAt": self.moment(_HOUR),
        }
        return Session(
            store=self,
            viewer=token.account,
            epoch=self._epoch,
            widest=self.widest,
            blind=self.fault is Fault.HIDE,
            nameless=self.fault is Fault.NAMELESS,
            repeats=self.fault is Fault.REPEAT,
            rate=rate,
        )

    def _limited(self, who: str) -> Json:
        return _error("RATE_LIMITED", f"API rate limit exceeded for user ID {who}.")


def _answered(data: Any, errors: list[Json], headers: dict[str, str], *, executed: bool = False) -> Reply:
    """Make the answer, with status 200 whatever it says; `data` is only there when something was executed."""
    body = ({"data": data} if executed or data is not None else {}) | ({"errors": errors} if errors else {})
    return Reply(200, body, headers)


def _spent(points: int, used: int) -> dict[str, str]:
    told = {"limit": points, "remaining": points - used, "used": used, "reset": int(time.time()) + _HOUR}
    return {f"x-ratelimit-{name}": str(value) for name, value in told.items()} | {"x-ratelimit-resource": "graphql"}


@lru_cache(maxsize=256)
def _parsed(text: str) -> DocumentNode | GraphQLSyntaxError:
    try:
        return parse(text)
    except GraphQLSyntaxError as error:
        return error


@lru_cache(maxsize=256)
def _invalid(document: DocumentNode) -> list[Json]:
    return [_formatted(error) for error in validate(published(), document)]


def _beyond(document: DocumentNode, token: Token) -> list[Json]:
    """Refuse a token that may not write, before anything is executed."""
    asked = operation(document)
    if asked.operation is not OperationType.MUTATION or token.scopes & _WRITING:
        return []
    if token.is_app:
        return [_error("FORBIDDEN", "Resource not accessible by integration")]
    name = next(fields(document, asked.selection_set)).name.value
    words = (
        "Your token has not been granted the required scopes to execute this query. "
        f"The '{name}' field requires one of the following scopes: ['public_repo', 'write:discussion'], "
        f"but your token has only been granted the: {sorted(token.scopes)} scopes. "
        "Please modify your token's scopes at: https://github.com/settings/tokens."
    )
    return [_error("INSUFFICIENT_SCOPES", words)]


def _error(kind: str, message: str) -> Json:
    return {"type": kind, "message": message}


def _formatted(error: GraphQLError) -> Json:
    """Write an error as GitHub does: with its type beside the message."""
    cause = error.original_error
    kind = {"type": cause.kind} if isinstance(cause, Refusal) else {}
    return {**kind, **error.formatted}
