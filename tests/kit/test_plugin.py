"""What the plugin makes of skips, known failures and handles that cannot do everything."""

from pathlib import Path
from typing import Any

import pytest

from tertulia_contract import Ability, Contract, ConversationContract, ThreadsContract, TrackerContract
from tertulia_contract.memory import MemoryBackend, MemoryConversations

HEAD = """
import pytest
from tertulia.testing.tracker import Client
from tertulia_contract import Ability, ThreadsContract, TrackerContract, Unable
from tertulia_contract.memory import MemoryBackend


class TestIt(TrackerContract):
    known_failures = {}

    @pytest.fixture
    def backend(self):
        return MemoryBackend()

    @pytest.fixture
    def client(self, backend):
        return backend.client()
"""
ROOM = """
import pytest
from tertulia.conversation import Trait
from tertulia.testing.conversation import Client
from tertulia_contract import ConversationContract
from tertulia_contract.memory import MemoryConversations


class Plain(Client):
    traits = frozenset({{TRAITS}})


class TestIt(ConversationContract):
    @pytest.fixture
    def backend(self):
        made = MemoryConversations()
        made.can = frozenset()
        return made

    @pytest.fixture
    def client(self, backend):
        return backend.client(Plain, without=["mark_answer"])
"""
CLOSED = {"test_whoami_names_an_account": "https://tracker.example/acme/demo/issues/1"}
LISTED = "https://tracker.example/acme/demo/issues/2"


class Reports:
    """Keep the outcome of each test that was called, and of each that failed before that."""

    def __init__(self) -> None:
        self.outcomes: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep one."""
        if report.when == "call" or report.outcome != "passed":
            self.outcomes[report.nodeid.rpartition("::")[2]] = report.outcome


class Runner:
    """Run a module's text with pytest, and give the outcomes and what was printed."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self.capsys = folder, capsys

    def __call__(self, text: str, *options: str) -> tuple[dict[str, str], str]:
        path = self.folder / f"{self.folder.name}.py"  # imported modules are kept by their name
        path.write_text(text, "utf-8")
        reports = Reports()
        config = self.folder / "pytest.ini"
        config.write_text("[pytest]\naddopts = --strict-markers\nfilterwarnings = error\n", "utf-8")
        base = ["-q", "-c", str(config), "--rootdir", str(self.folder), "--import-mode=importlib", str(path)]
        pytest.main([*base, *options], plugins=[reports])
        return reports.outcomes, self.capsys.readouterr().out


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Runner:
    """Run pytest in this process."""
    return Runner(tmp_path, capsys)


def test_a_skipped_contract_test_is_a_failure(run: Runner) -> None:
    skipped = HEAD.replace("return backend.client()", "pytest.skip('no account today')")

    outcomes, out = run(skipped, "-k", "test_whoami_names_an_account")

    assert outcomes == {"test_whoami_names_an_account": "failed"}
    assert "never skipped" in out
    assert "no account today" in out


def test_a_class_that_is_skipped_fails(run: Runner) -> None:
    marked = HEAD.replace("class TestIt", "@pytest.mark.skip(reason='later')\nclass TestIt")

    outcomes, _ = run(marked, "-k", "whoami_names")

    assert set(outcomes.values()) == {"failed"}


def test_an_excuse_within_a_fixture_is_a_failure(run: Runner) -> None:
    excused = HEAD.replace("return backend.client()", "pytest.xfail('flaky')")

    outcomes, _ = run(excused, "-k", "test_whoami_names_an_account")

    assert outcomes == {"test_whoami_names_an_account": "failed"}


def test_a_test_of_ones_own_may_be_skipped(run: Runner) -> None:
    own = HEAD + "\n    def test_of_my_own(self):\n        pytest.skip('mine')\n"

    outcomes, _ = run(own, "-k", "test_of_my_own")

    assert outcomes == {"test_of_my_own": "skipped"}


def test_a_known_failure_that_fails_is_known(run: Runner) -> None:
    broken = HEAD.replace("{}", repr(CLOSED)).replace("return backend.client()", "return None")

    outcomes, out = run(broken, "-k", "test_whoami_names_an_account")

    assert outcomes == {"test_whoami_names_an_account": "skipped"}
    assert "1 xfailed" in out
    assert out.split("identity", 1)[1].split("\n")[0].split() == ["0", "0", "1", "0"]


def test_a_known_failure_that_passes_is_a_failure(run: Runner) -> None:
    repaired = HEAD.replace("{}", repr(CLOSED))

    outcomes, out = run(repaired, "-k", "test_whoami_names_an_account")

    assert outcomes == {"test_whoami_names_an_account": "failed"}
    assert CLOSED["test_whoami_names_an_account"] in out


def test_what_a_handle_cannot_do_is_uncovered_in_the_table(run: Runner) -> None:
    poor = HEAD.replace(
        "        return MemoryBackend()",
        "        made = MemoryBackend()\n        made.can = frozenset(Ability) - {Ability.LOCK}\n        return made",
    )

    outcomes, out = run(poor)

    assert set(outcomes.values()) == {"passed"}
    assert "3 uncovered" in out
    assert [line.split() for line in out.splitlines() if line.startswith("  lock")] == [["lock", "3"]]
    assert out.split("\nposting", 1)[1].split("\n")[0].split() == ["8", "0", "0", "1"]


def test_what_a_handle_cannot_do_fails_in_a_class_that_is_complete(run: Runner) -> None:
    poor = HEAD.replace("known_failures = {}", "complete = True").replace(
        "        return MemoryBackend()",
        "        made = MemoryBackend()\n        made.can = frozenset(Ability) - {Ability.LOCK}\n        return made",
    )

    outcomes, out = run(poor, "-k", "locked_thread_takes_no or no_answer_or_whoami")

    assert outcomes == {"test_a_locked_thread_takes_no_answer": "failed"}
    assert "its handle lacks lock" in out


def test_what_is_absent_needs_no_ability_to_be_so(run: Runner) -> None:
    room = ROOM.replace("{TRAITS}", "Trait.OPENING, Trait.CATEGORIES")

    outcomes, out = run(room, "-k", "test_a_category_is_a_question or test_a_category_is_never_a_label")

    rows = {line.split()[0]: line.split()[1:] for line in out.splitlines() if line.startswith(("categories", "quest"))}
    assert set(outcomes.values()) == {"passed"}
    assert rows == {"categories": ["there", "0", "0", "0", "1"], "questions": ["absent", "1", "0", "0", "0"]}


def test_a_handle_that_can_do_nothing_leaves_what_needs_nothing(run: Runner) -> None:
    bare = HEAD.replace("        return MemoryBackend()", "        return Bare()").replace(
        "class TestIt",
        "class Bare(Unable):\n"
        "    def __init__(self):\n        self.backend = MemoryBackend()\n"
        "    def client(self):\n        return self.backend.client()\n"
        "    async def open(self):\n        return await self.backend.open()\n"
        "    async def missing(self):\n        return await self.backend.missing()\n\n\n"
        "class TestIt",
    )

    outcomes, out = run(bare)

    assert set(outcomes.values()) == {"passed"}
    assert [line.split()[0] for line in out.splitlines() if line.startswith("  speak ")] == ["speak"]


def test_what_is_not_declared_needs_no_ability_to_be_refused(run: Runner) -> None:
    poor = HEAD.replace("backend.client()", "backend.client(without=[Capability.EDIT])").replace(
        "        return MemoryBackend()",
        "        made = MemoryBackend()\n        made.can = frozenset()\n        return made",
    )

    outcomes, out = run(poor.replace("import pytest", "import pytest\nfrom tertulia.tracker import Capability"))

    line = next(line for line in out.splitlines() if line.startswith("edit "))
    assert line.split() == ["edit", "refused", "11", "0", "0", "0"]
    assert set(outcomes.values()) == {"passed"}


def test_the_table_names_what_is_declared_and_what_is_refused(run: Runner) -> None:
    _, out = run(HEAD, "-k", "test_edit_replaces_the_body or test_an_issue_is_created")

    assert "contract: TestIt (memory)" in out
    assert [line.split()[:2] for line in out.splitlines() if line.startswith(("edit ", "create_issue "))] == [
        ["create_issue", "declared"],
        ["edit", "declared"],
    ]


def make(*bases: type, **fields: Any) -> type:
    """Make a subclass as a class statement does."""
    return type("TestIt", bases, fields)


@pytest.mark.parametrize("contract", [ThreadsContract, TrackerContract, ConversationContract])
def test_overriding_a_contract_test_is_an_error_at_import(contract: type) -> None:
    with pytest.raises(TypeError, match="overrides a contract test"):
        make(contract, test_whoami_names_an_account=lambda self: None)
    with pytest.raises(TypeError, match="overrides a contract test"):
        make(contract, test_whoami_names_an_account=None)


def test_overriding_from_beside_is_an_error_too() -> None:
    class Beside:
        def test_whoami_names_an_account(self) -> None:
            """Say that all is well."""

    with pytest.raises(TypeError, match="overrides a contract test"):
        make(Beside, TrackerContract)


def test_a_known_failure_needs_a_test_and_an_issue() -> None:
    with pytest.raises(TypeError, match="no contract test"):
        make(TrackerContract, known_failures={"test_nothing_of_the_kind": LISTED})
    with pytest.raises(TypeError, match="needs the https"):
        make(TrackerContract, known_failures={"test_whoami_names_an_account": "flaky"})


@pytest.mark.parametrize("contract", [TrackerContract, ConversationContract])
def test_no_topic_hides_a_test_of_another(contract: type) -> None:
    bases = [base for base in contract.__mro__ if base.__module__.startswith("tertulia_contract")]
    names = [name for base in bases for name in vars(base) if name.startswith("test_")]

    assert len(names) == len(set(names))
    assert issubclass(contract, Contract)


def test_the_handles_in_memory_can_do_everything() -> None:
    assert MemoryConversations().can == frozenset(Ability)
    assert frozenset(Ability) - MemoryBackend().can == {Ability.CATEGORY, Ability.ASK, Ability.CLOSE, Ability.GUARD}
