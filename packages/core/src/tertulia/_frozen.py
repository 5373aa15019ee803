"""The base of every model: frozen, closed, and with one way to turn a refusal into `Invalid`."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from typing import Annotated, Any, ClassVar, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, ValidationError
from pydantic_core import PydanticCustomError

from tertulia.errors import Invalid

__all__ = ["Frozen", "Id", "Instant", "assembled", "build", "checked", "in_utc", "invalid", "refuse"]

T = TypeVar("T")
M = TypeVar("M", bound="Frozen")

_new, _put = object.__new__, object.__setattr__


class Frozen(BaseModel):
    """Be an immutable model that takes no field it does not know."""

    model_config: ClassVar[ConfigDict] = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="strings")


def assembled(kind: type[M], values: dict[str, Any]) -> M:
    """Make a model of values for all its fields, which were checked before; they become the model's own.

    `model_construct` takes longer than checking again, because it goes over the fields one by one.
    """
    made = _new(kind)
    _put(made, "__dict__", values)
    _put(made, "__pydantic_fields_set__", _every_field(kind))
    _put(made, "__pydantic_extra__", None)
    _put(made, "__pydantic_private__", None)
    return made


@cache
def _every_field(kind: type[Frozen]) -> set[str]:
    return set(kind.model_fields)


def refuse(path: str, message: str) -> PydanticCustomError:
    """Make the error a model validator raises about a field below it; `path` is dotted (`comment.id`)."""
    return PydanticCustomError("tertulia", "{message}", {"message": message, "path": path})


def _id(value: Any) -> Any:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


Id = Annotated[str, BeforeValidator(_id, json_schema_input_type=str | int)]
"""An id is a string in every model; an integer is accepted on input."""


def in_utc(value: datetime) -> datetime:
    """Give an aware time in UTC; refuse one without an offset."""
    if value.tzinfo is UTC:
        return value
    if value.tzinfo is None:
        raise PydanticCustomError("tertulia", "a time needs its offset from UTC")
    try:
        return value.astimezone(UTC)
    except OverflowError:
        raise PydanticCustomError("tertulia", "a time must lie in the years 1 to 9999 of UTC") from None


Instant = Annotated[datetime, AfterValidator(in_utc)]
"""An aware time, kept in UTC."""


def invalid(error: ValidationError, what: str, at: str = "") -> Invalid:
    """Turn pydantic's refusal into one `Invalid` that names the first wrong field, never echoing long input.

    `at` leads to the part checked.
    """
    first = error.errors(include_url=False, include_input=False)[0]
    context = first.get("ctx") or {}
    path = [at, *(str(part) for part in first["loc"])] if at else [str(part) for part in first["loc"]]
    if "path" in context:
        path.append(str(context["path"]))
    field = "".join(part if part.startswith("[") else f".{part}" for part in (_part(p) for p in path)).lstrip(".")
    message = first["msg"]
    if first["type"] == "extra_forbidden":
        message = "unknown field"
    more = error.error_count() - 1
    tail = f" (and {more} more)" if more else ""
    told = f"{what}: {field}: {message}{tail}" if field else f"{what}: {message}{tail}"
    return Invalid(told, field=field or None)


def _part(part: str) -> str:
    """Make one step of a path printable and short: an unknown key is written by whoever sent the document."""
    clean = "".join(c if c.isprintable() else "?" for c in part[:64])
    return f"[{clean}]" if clean.isdigit() else clean


def build(model: type[M], values: Any, what: str, at: str = "", *, extra: Literal["forbid", "ignore"] = "forbid") -> M:
    """Make a model from parsed values; anything wrong is an `Invalid` that names the field.

    Looking for fields that do not belong takes a tenth of the time, and `extra="ignore"` spares it where whoever calls wrote
    the names of all fields.
    """
    try:
        made: M = model.__pydantic_validator__.validate_python(values, extra=extra)
    except ValidationError as error:
        raise invalid(error, what, at) from None
    return made


def checked(make: Callable[[], T], what: str, at: str = "") -> T:
    """Run a validation and let nothing but `Invalid` out of it."""
    try:
        return make()
    except ValidationError as error:
        raise invalid(error, what, at) from None
