"""How GitHub says no: with status 200, a type and a message. The words are GitHub's where they are known."""

from __future__ import annotations

__all__ = [
    "Refusal",
    "forbidden",
    "no_node",
    "not_collaborator",
    "not_found",
    "over_resources",
    "unprocessable",
]


class Refusal(Exception):
    """An error that a field gives in place of its value. `type` is what GitHub prints beside the message."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind, self.message = kind, message


def not_found(what: str, how: str, name: object) -> Refusal:
    """Refuse what is not there, or not to be seen."""
    return Refusal("NOT_FOUND", f"Could not resolve to a {what} with the {how} {name}.")


def no_node(ident: str) -> Refusal:
    """Refuse an id that is nobody's: a number, an old one, one that cannot be seen."""
    return Refusal("NOT_FOUND", f"Could not resolve to a node with the global id of '{ident}'")


def forbidden(login: str, mutation: str) -> Refusal:
    """Refuse what this account may not do."""
    name = mutation[0].upper() + mutation[1:]
    return Refusal("FORBIDDEN", f"{login} does not have the correct permissions to execute `{name}`")


def not_collaborator() -> Refusal:
    """Refuse to list collaborators to those who may not push."""
    return Refusal("FORBIDDEN", "You do not have permission to view repository collaborators.")


def unprocessable(message: str) -> Refusal:
    """Refuse what is wrong in itself."""
    return Refusal("UNPROCESSABLE", message)


def over_resources() -> Refusal:
    """Refuse a page that is too much work."""
    return Refusal("RESOURCE_LIMITS_EXCEEDED", "Resource limits for this query exceeded.")
