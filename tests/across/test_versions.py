"""Names, versions and bounds of the packages agree."""

import re
import tomllib
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

Project = dict[str, Any]


@pytest.fixture(scope="module")
def projects(homes: dict[str, Path]) -> dict[str, Project]:
    """Each package's `[project]` table, by folder."""
    return {
        name: tomllib.loads((home / "pyproject.toml").read_text("utf-8"))["project"] for name, home in homes.items()
    }


def test_folder_distribution_and_import_name_are_one_word(projects: dict[str, Project], homes: dict[str, Path]) -> None:
    for folder, project in projects.items():
        distribution = "tertulia" if folder == "core" else f"tertulia-{folder}"
        assert project["name"] == distribution
        assert (homes[folder] / "src" / distribution.replace("-", "_") / "__init__.py").is_file()


def test_versions_share_major_and_minor(projects: dict[str, Project]) -> None:
    assert len({minor(project["version"]) for project in projects.values()}) == 1


def test_the_installed_version_is_the_declared_one(projects: dict[str, Project]) -> None:
    for project in projects.values():
        assert metadata.version(project["name"]) == project["version"]


def test_a_module_that_names_its_version_names_the_declared_one(projects: dict[str, Project]) -> None:
    import tertulia

    assert tertulia.__version__ == projects["core"]["version"]


def test_packages_require_the_core_of_their_own_minor_version(projects: dict[str, Project]) -> None:
    for folder, project in projects.items():
        ours = [Requirement(text) for text in project["dependencies"] if text.startswith("tertulia")]
        expected = [] if folder == "core" else [Requirement(f"tertulia{bounds(project['version'])}")]
        assert ours == expected, folder
        beside = [Requirement(text) for text in optional(project) if text.startswith("tertulia")]
        assert [str(one.specifier) for one in beside] == [str(one.specifier) for one in expected] * len(beside)


def test_the_core_requires_pydantic_and_what_pydantic_brings(projects: dict[str, Project]) -> None:
    required = [Requirement(text).name for text in projects["core"]["dependencies"]]

    assert required == ["pydantic", "typing-extensions"]


def test_every_requirement_has_a_cap(projects: dict[str, Project]) -> None:
    texts = [text for project in projects.values() for text in [*project["dependencies"], *optional(project)]]

    assert [text for text in texts if not is_capped(text)] == []


def test_every_requirement_has_a_floor(projects: dict[str, Project]) -> None:
    texts = [text for project in projects.values() for text in [*project["dependencies"], *optional(project)]]

    assert [text for text in texts if not has_floor(text)] == []


def test_packages_claim_the_same_python_versions(projects: dict[str, Project]) -> None:
    assert len({project["requires-python"] for project in projects.values()}) == 1
    assert len({tuple(pythons(project)) for project in projects.values()}) == 1


def test_adapters_announce_themselves(projects: dict[str, Project]) -> None:
    found = {entry.name: entry.value for entry in metadata.entry_points(group="tertulia.adapters")}

    assert found == {
        "github": "tertulia_forge_github:adapter",
        "conversation-github": "tertulia_conversation_github:adapter",
        "conversation-slack": "tertulia_conversation_slack:adapter",
        "tracker-github": "tertulia_tracker.github:adapter",
    }
    declared = [project.get("entry-points", {}).get("tertulia.adapters", {}) for project in projects.values()]
    assert found == {name: value for points in declared for name, value in points.items()}


def optional(project: Project) -> list[str]:
    """List what the extras of a package require."""
    return [text for texts in project.get("optional-dependencies", {}).values() for text in texts]


def minor(version: str) -> tuple[str, str]:
    """Take major and minor of a version."""
    major, second, *_ = version.split(".")
    return major, second


def bounds(version: str) -> str:
    """Say which core a first-party package of this 0.x version requires."""
    major, second = minor(version)
    assert major == "0", "from 1.0 on the cap is the next major version"
    return f">=0.{second},<0.{int(second) + 1}"


def is_capped(text: str) -> bool:
    """Tell whether a requirement excludes some later version."""
    return any(spec.operator in ("<", "<=", "==", "~=") for spec in Requirement(text).specifier)


def has_floor(text: str) -> bool:
    """Tell whether a requirement names its lowest version, which the session `floors` installs."""
    return any(spec.operator == ">=" for spec in Requirement(text).specifier)


def pythons(project: Project) -> list[str]:
    """List the Python versions a package's classifiers claim."""
    return [found[1] for text in project["classifiers"] if (found := re.search(r"Python :: (3\.\d+)$", text))]


def test_bounds_follow_the_minor_version() -> None:
    assert bounds("0.1.0") == ">=0.1,<0.2"
    assert bounds("0.9.3") == ">=0.9,<0.10"


@pytest.mark.parametrize(("text", "capped"), [("a<2", True), ("a>=1,<2", True), ("a", False), ("a>=1", False)])
def test_a_floor_is_no_cap(text: str, capped: bool) -> None:
    assert is_capped(text) is capped


@pytest.mark.parametrize(("text", "floored"), [("a>=1,<2", True), ("a>=1", True), ("a<2", False), ("a", False)])
def test_a_cap_is_no_floor(text: str, floored: bool) -> None:
    assert has_floor(text) is floored
