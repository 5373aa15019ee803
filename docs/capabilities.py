"""Write docs/capabilities.md from the adapters that are installed: `nox -s capabilities`. A test fails when it is stale."""

import inspect
from collections.abc import Iterator
from types import ModuleType

from tertulia import conversation, forge, registry, tracker

PROTOCOLS: dict[str, ModuleType] = {"forge": forge, "tracker": tracker, "conversation": conversation}

LIMITS = {
    "body_chars": "characters a message",
    "part_chars": "characters a part of a longer text",
    "edit_chars": "characters an edit",
}

HEAD = """\
# What each adapter can do

Made from the adapters themselves by `nox -s capabilities`; a test fails when this page is stale. The contract kit holds an
adapter to what it declares, and to refusing the rest with `Unsupported`. A trait is what conversations have on a backend:
an opening post, a category, questions among the categories.
"""


def page() -> str:
    """Write the whole page."""
    adapters = registry.installed().adapters
    parts = [HEAD, *(section(kind, adapters) for kind in PROTOCOLS), events(adapters), settings(adapters)]
    return "\n".join(parts)


def section(kind: str, adapters: tuple[registry.Adapter, ...]) -> str:
    """Write the operations of one kind of client, a line each and a column an adapter."""
    fitting = [one for one in adapters if one.kind == kind and one.connect is not None]
    rows = [[f"`{name}`", *("always" for _ in fitting)] for name in required(PROTOCOLS[kind])]
    for capability in sorted(one.value for one in PROTOCOLS[kind].Capability):
        rows.append([f"`{capability}`", *("yes" if capability in one.capabilities else "no" for one in fitting)])
    for trait in getattr(PROTOCOLS[kind], "Trait", ()):
        rows.append([f"trait `{trait}`", *("there" if trait in one.traits else "absent" for one in fitting)])
    for name, told in LIMITS.items():
        if any(getattr(one.limits, name, None) for one in fitting):
            rows.append([told, *(longest(one, name) for one in fitting)])
    return f"## {kind}.Client\n\n" + table(["operation, or capability", *(one.name for one in fitting)], rows)


def longest(adapter: registry.Adapter, name: str) -> str:
    """Write how many characters may be taken at once; a message's limit holds where there is none of its own."""
    most = getattr(adapter.limits, name, None) or getattr(adapter.limits, "body_chars", None)
    return "not known" if most is None else f"{most:,}"


def required(protocol: ModuleType) -> Iterator[str]:
    """Name the operations that every client has: those that `Unimplemented` does not bring."""
    brought = set(vars(protocol.Unimplemented))
    for owner in reversed(protocol.Client.__mro__):
        for name, value in vars(owner).items():
            if inspect.isfunction(value) and not name.startswith("_") and name not in brought:
                yield name


def events(adapters: tuple[registry.Adapter, ...]) -> str:
    """Write which native events each adapter turns into events of ours."""
    rows = [
        [one.name, one.system, ", ".join(f"`{name}`" for name in sorted(one.names)), yes(one.enrich), yes(one.source)]
        for one in adapters
        if one.normalize is not None
    ]
    return "## Native events\n\n" + table(["adapter", "system", "normalizes", "enriches", "without a webhook"], rows)


def yes(offered: object) -> str:
    """Write whether something is offered."""
    return "no" if offered is None else "yes"


def settings(adapters: tuple[registry.Adapter, ...]) -> str:
    """Write the environment variables that the adapters read."""
    users: dict[tuple[str, str], list[str]] = {}
    for adapter in adapters:
        for setting in adapter.every_setting:
            users.setdefault((setting.name, setting.help), []).append(adapter.name)
    rows = [[f"`{name}`", told, ", ".join(names)] for (name, told), names in sorted(users.items())]
    return "## Settings\n\n" + table(["variable", "what it is", "read by"], rows)


def table(head: list[str], rows: list[list[str]]) -> str:
    """Write a table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |\n" for line in lines)


if __name__ == "__main__":
    print(page(), end="")
