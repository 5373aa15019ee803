"""Adapters are found by entry points of what is installed, and by nothing else."""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import FrozenInstanceError, fields
from pathlib import Path

import pytest

from tertulia import registry
from tertulia.errors import Invalid
from tertulia.event import Delivery, Ignored

Install = Callable[..., None]

ADAPTER = """
from tertulia.errors import Invalid
from tertulia.event import Ignored, Normalized
from tertulia.registry import Adapter, Setting, Source
from tertulia.thread import ThreadRef

def normalize(delivery):
    return Normalized(ignored=Ignored("{name}", delivery.name))

def recognise(url):
    {recognise}
    return ThreadRef(conversation="{name}") if "{path}" in url else None

adapter = Adapter(
    name="{name}",
    system="{system}",
    kind="{kind}",
    names=frozenset({names!r}),
    normalize={normalize},
    recognise=recognise,
    settings=(Setting("TOKEN", "A token.", secret=True),),
    connect={connect},
    enrich={enrich},
    source={receives},
)
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Give a function that installs a distribution with one adapter, found by importlib.metadata as any other."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(registry, "GROUP", "tertulia.adapters.of.this.test")

    def make(name: str, *, distribution: str = "", source: str = "", target: str = "adapter", **fields: object) -> None:
        distribution = distribution or f"test-{name}"
        module = distribution.replace("-", "_").replace(".", "_").lower()
        start = {"system": name, "kind": "forge", "names": [], "normalize": "normalize", "recognise": "pass"}
        start |= {"connect": "None", "enrich": "None", "receives": "None"}
        text = source or ADAPTER.format(**({"name": name, "path": f"/{name}/"} | start | fields))
        (tmp_path / f"{module}.py").write_text(text, "utf-8")
        info = tmp_path / f"{module}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n", "utf-8")
        (info / "entry_points.txt").write_text(f"[{registry.GROUP}]\n{name} = {module}:{target}\n", "utf-8")
        monkeypatch.delitem(sys.modules, module, raising=False)

    return make


def names(found: registry.Installed) -> list[str]:
    """Name the adapters found."""
    return [adapter.name for adapter in found.adapters]


def test_nothing_installed_is_nothing_found(install: Install) -> None:
    assert registry.installed() == registry.Installed()


def test_an_installed_adapter_is_found_with_what_it_says(install: Install) -> None:
    install("chat", kind="conversation", names=["message"])

    (adapter,) = registry.installed().adapters

    assert (adapter.name, adapter.system, adapter.kind) == ("chat", "chat", "conversation")
    assert adapter.names == {"message"}
    assert adapter.connect is None
    assert adapter.settings == (registry.Setting("TOKEN", "A token.", secret=True),)


def test_adapters_come_by_distribution_name(install: Install) -> None:
    install("b", distribution="Alpha.one")
    install("a", distribution="beta")
    install("c", distribution="alpha-two")

    assert names(registry.installed()) == ["b", "c", "a"]


@pytest.mark.parametrize(
    ("source", "target", "reason"),
    [
        ("import no_such_module_at_all", "adapter", "ModuleNotFoundError: No module named 'no_such_module_at_all'"),
        ("1 / 0", "adapter", "ZeroDivisionError: division by zero"),
        ("raise ValueError('ghp_' + 'x' * 36 + '\\n\\x1b[31m')", "adapter", "ValueError: [token] [31m"),
        ("x = 1", "adapter", "AttributeError: module 'test_broken' has no attribute 'adapter'"),
        ("x = 1", "x", "test_broken:x is not a tertulia.registry.Adapter"),
        (
            ADAPTER.format(
                name="odd",
                system="x",
                kind="wiki",
                names=[],
                normalize="None",
                recognise="pass",
                path="/x/",
                connect="None",
                enrich="None",
                receives="None",
            ),
            "adapter",
            "'wiki' is not a kind of adapter",
        ),
    ],
)
def test_a_broken_adapter_is_reported_and_hides_no_other(
    install: Install, source: str, target: str, reason: str
) -> None:
    install("broken", source=source, target=target)
    install("good")

    found = registry.installed()

    assert names(found) == ["good"]
    assert found.problems == (registry.Problem("broken", "test-broken", reason),)


def test_of_two_adapters_with_one_name_the_first_distribution_wins(install: Install) -> None:
    install("chat", distribution="zeta", system="second")
    install("chat", distribution="alpha", system="first")

    found = registry.installed()

    assert [adapter.system for adapter in found.adapters] == ["first"]
    assert [problem.distribution for problem in found.problems] == ["zeta"]
    assert "already provides an adapter named chat" in found.problems[0].reason


def test_an_event_goes_to_the_adapter_that_knows_its_name(install: Install) -> None:
    install("conversation-x", distribution="a", system="github", kind="conversation", names=["discussion"])
    install("forge-x", distribution="b", system="github", names=["issues"])

    assert registry.normalizer("github", "issues").name == "forge-x"
    assert registry.normalizer("github", "discussion").name == "conversation-x"


def test_an_event_nobody_knows_goes_to_an_adapter_of_its_system_that_says_why(install: Install) -> None:
    install("tracker-x", distribution="a", system="github", kind="tracker", normalize="None", names=["star"])
    install("forge-x", distribution="b", system="github", names=["issues"])

    adapter = registry.normalizer("github", "star")

    assert adapter.normalize is not None
    assert adapter.normalize(Delivery("github", "star", b"{}")).ignored == Ignored("forge-x", "star")


@pytest.mark.parametrize(
    ("system", "name", "advice"),
    [
        ("github", "issues", "install tertulia-forge-github"),
        ("github", "discussion_comment", "install tertulia-conversation-github"),
        ("slack", "message", "install tertulia-conversation-slack"),
        ("jira", "comment", r"install tertulia-tracker\[jira\]"),
        ("gitlab", "push", "install a package that provides an adapter for gitlab"),
    ],
)
def test_a_missing_adapter_is_named_with_the_package_to_install(
    install: Install, system: str, name: str, advice: str
) -> None:
    with pytest.raises(Invalid, match=rf"^no installed adapter normalizes {system} events \(system\): {advice}$"):
        registry.normalizer(system, name)


@pytest.mark.parametrize("system", ["", "GitHub", "git hub", "x" * 64, "é", "a\n", "\x1b[31m"])
def test_what_cannot_be_a_system_is_refused_on_one_line(install: Install, system: str) -> None:
    with pytest.raises(Invalid, match=r"use github, slack, jira$") as refusal:
        registry.normalizer(system, "issues")

    assert str(refusal.value).isprintable()


def test_a_broken_adapter_is_mentioned_when_it_may_be_the_missing_one(install: Install) -> None:
    install("broken", source="1 / 0")

    with pytest.raises(Invalid, match=r"or mend broken, which cannot be used .ZeroDivisionError: division by zero.$"):
        registry.normalizer("slack", "message")


def test_a_client_comes_from_the_adapter_of_its_system_and_kind_that_connects(install: Install) -> None:
    install("forge-x", distribution="a", system="github", connect="print")
    install("tracker-x", distribution="b", system="github", kind="tracker")
    install("tracker-y", distribution="c", system="github", kind="tracker", connect="print")

    assert registry.connector("github", "tracker").name == "tracker-y"
    assert registry.connector("github", "forge").name == "forge-x"


@pytest.mark.parametrize(
    ("system", "kind", "advice"),
    [
        ("github", "tracker", r"install tertulia-tracker\[github\]"),
        ("github", "conversation", "install tertulia-conversation-github"),
        ("slack", "conversation", "install tertulia-conversation-slack"),
        ("jira", "tracker", r"install tertulia-tracker\[jira\]"),
    ],
)
def test_a_missing_client_is_named_with_the_package_to_install(
    install: Install, system: str, kind: registry.Kind, advice: str
) -> None:
    install("chat", system=system, kind=kind)

    with pytest.raises(Invalid, match=rf"^no installed adapter connects to {system} as a {kind} .system.: {advice}$"):
        registry.connector(system, kind)


def test_events_are_enriched_by_an_adapter_that_can(install: Install) -> None:
    install("one", distribution="a", system="github", connect="print")
    install("two", distribution="b", system="github", connect="print", enrich="print")

    assert registry.enricher("github").name == "two"
    with pytest.raises(Invalid, match=r"no installed adapter enriches slack events"):
        registry.enricher("slack")


def test_events_about_conversations_have_an_enricher_of_their_own(install: Install) -> None:
    install("forge", distribution="a", system="github", kind="forge", connect="print", enrich="print")

    with pytest.raises(Invalid, match=r"install tertulia-conversation-github$"):
        registry.enricher("github", conversation=True)

    install("talks", distribution="b", system="github", kind="conversation", connect="print", enrich="print")

    assert registry.enricher("github").name == "forge"
    assert registry.enricher("github", conversation=True).name == "talks"


def test_deliveries_come_from_the_adapter_that_has_a_source(install: Install) -> None:
    install("one", distribution="a", system="slack")
    install("two", distribution="b", system="slack", receives="Source(print)")

    assert registry.source("slack").subscribe is print


@pytest.mark.parametrize(
    ("system", "advice"),
    [
        ("slack", "install tertulia-conversation-slack"),
        ("discord", "install a package that provides an adapter for discord"),
    ],
)
def test_a_missing_source_is_named_with_the_package_to_install(install: Install, system: str, advice: str) -> None:
    install("one", system=system)

    with pytest.raises(
        Invalid, match=rf"^no installed adapter receives from {system} without a webhook .system.: {advice}$"
    ):
        registry.source(system)


def test_a_url_goes_to_the_adapter_that_recognises_it(install: Install) -> None:
    install("one")
    install("two")

    adapter, address = registry.recogniser("https://example.test/two/7")

    assert adapter.name == "two"
    assert address.conversation == "two"


def test_a_url_may_be_looked_up_for_some_kinds_of_client_only(install: Install) -> None:
    install("forge-x", distribution="a", kind="forge", path="/issues/")
    install("tracker-x", distribution="b", kind="tracker", path="/issues/")
    url = "https://github.com/acme/shop/issues/7"

    assert registry.recogniser(url)[0].name == "forge-x"
    assert registry.recogniser(url, kinds=["tracker", "conversation"])[0].name == "tracker-x"


@pytest.mark.parametrize(
    ("url", "advice"),
    [
        ("https://github.com/acme/shop/issues/7", r"install tertulia-tracker\[github\] or tertulia-forge-github$"),
        ("https://github.com/acme/shop/pull/7", r"install tertulia-tracker\[github\] or tertulia-forge-github$"),
        ("https://github.com/acme/shop/discussions/7", "install tertulia-conversation-github$"),
        ("https://acme.slack.com/archives/C1/p1", "install tertulia-conversation-slack$"),
        ("https://ana:pw@acme.atlassian.net/x", r"on acme\.atlassian\.net \(url\): install tertulia-tracker\[jira\]$"),
        ("https://jira.test:8443/browse/SHOP-3", r"on jira\.test:8443 \(url\): install tertulia-tracker\[jira\]$"),
        ("https://evilslack.com/x", "install the package of its system or tertulia-forge-github or "),
        ("not a url", r"^this is not a URL \(url\): "),
    ],
)
def test_an_unknown_url_is_answered_with_the_package_to_install(install: Install, url: str, advice: str) -> None:
    with pytest.raises(Invalid, match=advice) as refusal:
        registry.recogniser(url)

    assert "pw" not in str(refusal.value)


def test_an_adapter_that_knows_a_url_but_not_its_host_is_heard_when_no_other_knows_it(install: Install) -> None:
    install("one", recognise='raise Invalid("host: not configured", field="url")')
    install("two")

    assert registry.recogniser("https://x.test/two/1")[0].name == "two"
    with pytest.raises(Invalid, match=r"^host: not configured$"):
        registry.recogniser("https://x.test/one/1")


def test_an_adapter_that_fails_on_a_url_hides_no_other(install: Install) -> None:
    install("one", recognise="1 / 0")
    install("two")

    assert registry.recogniser("https://x.test/two/1")[0].name == "two"
    with pytest.raises(Invalid, match=r"mend one, which cannot be used .ZeroDivisionError"):
        registry.recogniser("https://x.test/three/1")


def test_importing_the_registry_loads_the_standard_library_only() -> None:
    code = "import sys, tertulia.registry; print('pydantic' in sys.modules, 'tertulia.event' in sys.modules)"

    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert told.stdout.split() == ["False", "False"]


def test_what_is_found_cannot_be_changed(install: Install) -> None:
    install("chat")
    found = registry.installed()
    setting = registry.Setting("TOKEN", "A token.")

    assert setting.secret is False
    for one in (found, found.adapters[0], setting, registry.Problem("a", "b", "c")):
        with pytest.raises(FrozenInstanceError):
            setattr(one, fields(one)[0].name, "other")
