"""What the operator says about a workspace, in one small TOML file: which section a channel is in, which repository it is
about, and what role a person has.

    repo = "acme/demo"                 # for every channel that has none of its own

    [sections]
    C0HELP = "Help desk"               # the category of the conversation

    [repos]
    C0DOCS = "acme/docs"

    [roles]
    U0ANNA = "maintain"                # a person
    S0TRIAGE = "triage"                # a user group
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from tertulia.errors import Invalid
from tertulia.event import Category
from tertulia.parsing import Frozen, checked, refuse

__all__ = ["ROLES", "Config", "GrantedRole", "category_of", "config_schema", "slug"]

_MAX_BYTES = 1024 * 1024

ChannelId = Annotated[str, StringConstraints(pattern=r"^[CDG][A-Z0-9]{1,63}$")]
MemberId = Annotated[str, StringConstraints(pattern=r"^[USW][A-Z0-9]{1,63}$")]
Repository = Annotated[str, StringConstraints(pattern=r"^[a-zA-Z0-9._-]+(/[a-zA-Z0-9._-]+)+$", max_length=512)]
GrantedRole = Literal["admin", "maintain", "write", "triage", "read", "none"]
ROLES: tuple[GrantedRole, ...] = ("admin", "maintain", "write", "triage", "read", "none")
"""The roles, the greatest first."""


def _named(value: str) -> str:
    if not slug(value):
        raise refuse("", "must have a letter or a digit")
    return value


Section = Annotated[str, StringConstraints(strip_whitespace=True, max_length=255), AfterValidator(_named)]


def _table(description: str) -> Any:
    """Describe a table, which has no other keys than those it is about."""
    return Field(description=description, json_schema_extra={"additionalProperties": False})


class Config(Frozen):
    """Say what Slack does not: sections, repositories and roles. Everything may be left out."""

    repo: Annotated[Repository | None, Field(description="The repository of channels that have none of their own.")] = (
        None
    )
    sections: Annotated[Mapping[ChannelId, Section], _table("The section a channel is in, its category.")] = {}
    repos: Annotated[Mapping[ChannelId, Repository], _table("The repository a channel is about.")] = {}
    roles: Annotated[Mapping[MemberId, GrantedRole], _table("The role of a user or a user group.")] = {}

    @model_validator(mode="after")
    def _distinct(self) -> Config:
        names: dict[str, str] = {}
        for name in self.sections.values():
            if names.setdefault(slug(name), name) != name:
                raise refuse("sections", "two sections differ in nothing but case or punctuation")
        return self

    @classmethod
    def parse(cls, document: bytes) -> Config:
        """Read the file. Raises Invalid, which names what is wrong."""
        if len(document) > _MAX_BYTES:
            raise Invalid(f"slack configuration: more than {_MAX_BYTES} bytes")
        try:
            values = tomllib.loads(document.decode())
        except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
            raise Invalid(f"slack configuration: is not TOML: {error}") from None
        return checked(lambda: cls.model_validate(values), "slack configuration")

    def section(self, channel: str) -> Category | None:
        """Give the section a channel is in, as a category."""
        name = self.sections.get(channel)
        return None if name is None else category_of(name)

    def channels(self, section: str) -> list[str]:
        """Give the channels of a section, which goes by its slug."""
        return [channel for channel, name in self.sections.items() if slug(name) == section]

    @property
    def groups(self) -> Mapping[str, GrantedRole]:
        """Give the user groups that have a role."""
        return {member: role for member, role in self.roles.items() if member.startswith("S")}

    def repository(self, channel: str) -> str | None:
        """Give the repository a channel is about."""
        return self.repos.get(channel, self.repo)


def category_of(section: str) -> Category:
    """Give a section as a category."""
    return Category(id=slug(section), name=section, slug=slug(section))


def slug(name: str) -> str:
    """Give the word a section goes by: letters and digits in lower case, with hyphens between."""
    return "-".join("".join(char if char.isalnum() else " " for char in name.lower()).split())[:255]


def config_schema() -> dict[str, Any]:
    """Give the JSON Schema (draft 2020-12) of the file."""
    schema = Config.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "urn:tertulia:slack-config:v1", **schema}
