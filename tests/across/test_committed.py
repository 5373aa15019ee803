"""What is committed says nothing about where packages come from, or about the machine it was written on."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

HOSTS = ["pypi" + ".org", "pythonhosted" + ".org", "npmjs" + ".org", "npmjs" + ".com", "yarnpkg" + ".com"]
LOCKS = {"uv.lock", "poetry.lock", "pdm.lock", "Pipfile.lock", "pylock.toml", "yarn.lock", "pnpm-lock.yaml"}
RESOLVED = re.compile(r'"resolved"\s*:')
PIN = re.compile(r"^[a-z0-9.-]+==[A-Za-z0-9.+!]+( ; [^/@]+)?$")
UNTRACKED = {
    ".git",
    ".venv",
    ".nox",
    ".cache",
    ".hypothesis",
    "node_modules",
    "__pycache__",
    "build",
    "dist",
    "uv.lock",
}


def test_no_file_names_a_package_index_or_this_checkout(root: Path) -> None:
    found = [f"{path.relative_to(root)}: {word}" for path in committed(root) for word in places(path, root)]

    assert found == []


def test_no_lock_file_with_addresses_is_committed(root: Path) -> None:
    files = list(committed(root))

    assert [path for path in files if path.name in LOCKS] == []
    assert [
        path for path in files if path.name == "package-lock.json" and RESOLVED.search(path.read_text("utf-8"))
    ] == []
    assert any(path.name == "package-lock.json" for path in files)


def test_constraints_are_bare_pins(root: Path) -> None:
    lines = (root / "constraints.txt").read_text("utf-8").splitlines()

    assert [line for line in lines if not PIN.match(line)] == []
    assert len(lines) > 20


def committed(root: Path) -> Iterator[Path]:
    """List the files git knows; without git, every file that is not a tool's own."""
    listing = subprocess.run(
        ["git", "-C", str(root), "ls-files", "-z"], capture_output=True, text=True, encoding="utf-8", check=False
    )
    if listing.returncode == 0 and listing.stdout:
        found = [root / name for name in listing.stdout.split("\0") if name]
    else:
        found = [path for path in sorted(root.rglob("*")) if not UNTRACKED & set(path.relative_to(root).parts)]
    yield from (path for path in found if path.is_file())


def places(path: Path, root: Path) -> list[str]:
    """Find the hosts of package indexes, and the checkout's own path when it is long enough to be told from words."""
    text = path.read_bytes().decode("utf-8", "replace")
    here = [root.as_posix()] if len(root.parts) > 2 else []
    return [host for host in HOSTS if host in text.lower()] + [
        place for place in here if re.search(rf"(?<![\w.}}/]){re.escape(place)}(?!\w)", text)
    ]


@pytest.mark.parametrize("host", HOSTS)
def test_the_checker_finds_an_index(tmp_path: Path, host: str) -> None:
    file = tmp_path / "some.toml"
    file.write_text(f'url = "https://{host.upper()}/simple"', "utf-8")

    assert places(file, tmp_path) == [host]


def test_the_checker_finds_the_checkout(tmp_path: Path) -> None:
    file = tmp_path / "some.txt"
    file.write_text(f"see {tmp_path.as_posix()}/README.md", "utf-8")

    assert places(file, tmp_path) == [tmp_path.as_posix()]


@pytest.mark.parametrize(
    "line",
    ["tertulia @ file:///tmp/x", "-e packages/core", "https://example.com/a.whl", "pydantic>=2", "# via pydantic"],
)
def test_a_pin_is_a_name_and_a_version(line: str) -> None:
    assert not PIN.match(line)
    assert PIN.match("colorama==0.4.6 ; sys_platform == 'win32'")


def test_the_checker_finds_addresses_in_a_lock() -> None:
    assert RESOLVED.search('{"resolved": "https://host/a.tgz"}')


def test_the_checker_works_without_git(tmp_path: Path) -> None:
    for name in ("README.md", "uv.lock", ".venv/pyvenv.cfg"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()

    assert [path.name for path in committed(tmp_path)] == ["README.md"]
