"""Text of one form, without calling Python: the only one there is, or a shorter way for what is nearly always meant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, core_schema

__all__ = ["Only", "Usual"]


@dataclass(frozen=True, slots=True, eq=False)
class Only:
    """Take text of one form and at most so long, and refuse everything else in words of our own."""

    form: str
    longest: int
    refusal: str

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Look at the form, and replace what pydantic says."""
        return core_schema.custom_error_schema(
            core_schema.str_schema(pattern=self.form, max_length=self.longest),
            custom_error_type="tertulia",
            custom_error_message=self.refusal,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Usual:
    """Take text of a usual form without calling Python; anything else goes the way of the annotated type.

    `form` is a pattern of what that way would take too, and `refusal` what is said about what neither takes. With `then` the
    text is validated further.
    """

    form: str
    refusal: str
    then: CoreSchema | None = None

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Try the usual form first."""
        usual: CoreSchema = core_schema.str_schema(pattern=self.form)
        if self.then is not None:
            usual = core_schema.chain_schema([usual, self.then])
        return core_schema.union_schema(
            [usual, handler(source)],
            mode="left_to_right",
            custom_error_type="tertulia",
            custom_error_message=self.refusal,
        )

    def __get_pydantic_json_schema__(self, schema: Any, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """Describe the other way, which takes everything."""
        return handler(schema["choices"][1])
