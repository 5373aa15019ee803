"""What every contract class is, and what a subclass may not do."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any, ClassVar

import pytest

from tertulia.thread import ThreadRef
from tertulia_contract._backend import Backend

__all__ = ["Contract"]

_KIT = __name__.partition(".")[0]


class Contract:
    """Be the base of contract classes. A subclass gives two fixtures: `backend` first, and `client` that acts on it.

    No contract test may be overridden. `known_failures` maps a test's name to the issue that will mend it; it must fail.
    `complete` says that the handle can set up every test: one that it cannot is then a failure, and not uncovered.
    """

    pytestmark: ClassVar[Any] = [pytest.mark.anyio]
    known_failures: ClassVar[Mapping[str, str]] = {}
    complete: ClassVar[bool] = False
    contract_tests: ClassVar[Mapping[str, Any]] = {}
    """The tests that the class inherits from the kit, by name."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        tests = cls.contract_tests = _inherited(cls)
        for name, test in tests.items():
            if inspect.getattr_static(cls, name) is not test:
                raise TypeError(f"{cls.__name__}.{name} overrides a contract test: list it in known_failures instead")
        for name, link in cls.known_failures.items():
            if name not in tests:
                raise TypeError(f"{cls.__name__}.known_failures: {name} is no contract test")
            if not link.startswith("https://"):
                raise TypeError(f"{cls.__name__}.known_failures: {name} needs the https:// address of an issue")

    @pytest.fixture
    def anyio_backend(self) -> str:
        """Run the tests on asyncio."""
        return "asyncio"

    @pytest.fixture
    async def subject(self, backend: Backend) -> ThreadRef:
        """Open what a test is about: an issue, or a conversation."""
        return await backend.open()

    @pytest.fixture
    async def thread(self, subject: ThreadRef) -> ThreadRef:
        """Give a thread of it in which somebody spoke first, and nobody has answered."""
        return subject


def _inherited(cls: type) -> dict[str, Any]:
    """Give the tests that a class inherits from the kit, by name."""
    kit = [base for base in reversed(cls.__mro__) if base.__module__.partition(".")[0] == _KIT]
    return {name: value for base in kit for name, value in vars(base).items() if name.startswith("test_")}
