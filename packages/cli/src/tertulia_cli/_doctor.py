"""`tertulia doctor`: what is installed, and whether it works: credentials, identity, scopes, the rate that is left."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import typer

from tertulia import errors
from tertulia_cli import _live as live
from tertulia_cli._failure import BUG, Failure, of_bug
from tertulia_cli._input import variable
from tertulia_cli._options import AsJson
from tertulia_cli._output import print_json

if TYPE_CHECKING:
    from tertulia.registry import Adapter
    from tertulia.thread import Account

__all__ = ["register"]

_PATIENCE = 30.0
"""Seconds a backend has to say who we are."""
_WAIT = 5.0
"""Seconds of that in which a request may be tried again."""

_WORST = (0, 3, 4, 2, BUG)
"""Exit statuses from well to worst: a refusal says something, an unreachable backend nothing, a wrong setting less."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("doctor")(_doctor)


def _doctor(json: AsJson = False) -> int:
    """Check the credentials of every installed adapter: who they belong to, and whether the backend can be reached.

    Names the variables that are set, never what is in them, and where a backend tells them the scopes that are granted, needed
    and missing. Exit status: 0 when every backend with credentials answers;
    an adapter without credentials is not asked, and that is no failure; nor is one tried that only `tertulia serve` needs,
    because that would open a connection. 3 when one refuses them, 4 when one cannot be
    reached or limits the rate, 2 when a setting is wrong.

    \b
    Example:
        tertulia doctor --json
    """
    from tertulia import registry

    found = registry.installed()
    adapters = [one for one in found.adapters if one.connect is not None]
    checks = live.run(lambda: _check_all(adapters), "asking every backend who we are")
    problems = [{"name": one.name, "distribution": one.distribution, "reason": one.reason} for one in found.problems]
    document = {"version": 1, "adapters": checks, "problems": problems}
    if json:
        print_json(document)
    else:
        from tertulia_cli._listing import checked
        from tertulia_cli._output import print_rich

        print_rich(*checked(document))
    return max((check["status"] for check in checks), key=_WORST.index, default=0)


async def _check_all(adapters: Iterable[Adapter]) -> list[dict[str, Any]]:
    return list(await asyncio.gather(*(_check(adapter) for adapter in adapters)))


async def _check(adapter: Adapter) -> dict[str, Any]:
    """Ask one backend who we are. One adapter that fails hides no other."""
    names, known = live.credentials(adapter)
    told: dict[str, Any] = {"name": adapter.name, "system": adapter.system, "kind": adapter.kind}
    secrets = [setting.name for setting in adapter.every_setting if setting.secret]
    held = [{"name": name, "set": variable(name) is not None} for name in secrets]
    told |= {"credentials": held, "asked": False, "status": 0}
    if names and not known:
        return told | {"advice": f"set {names[0]}"}
    timer, failure, answer = _Timer(), None, {}
    try:
        answer = await asyncio.wait_for(_ask(adapter, timer), _PATIENCE)
    except errors.Error as error:
        failure, answer = live.explain(error, adapter, adapter.name), {"reachable": _answered(error)}
    except TimeoutError:
        slow = errors.Unavailable(f"no answer within {_PATIENCE:.0f} s")
        failure, answer = live.explain(slow, adapter, adapter.name), {"reachable": False}
    except Exception as error:  # a third party's code: it must not hide the others
        failure = of_bug(error)
    return told | {"asked": True, "milliseconds": timer.milliseconds} | answer | _failed(failure)


class _Timer:
    """Take the time of a question, and not of loading what asks it."""

    def __init__(self) -> None:
        self.start()

    def start(self) -> None:
        self._started = time.perf_counter()

    @property
    def milliseconds(self) -> int:
        return round((time.perf_counter() - self._started) * 1000)


async def _ask(adapter: Adapter, timer: _Timer) -> dict[str, Any]:
    async with live.connect(adapter, max_wait=_WAIT) as client:
        timer.start()
        account: Account = await client.whoami()
        identity = {"id": account.id, "login": account.login, "kind": account.kind}
        return {"reachable": True, "identity": identity} | _rate(client) | _scopes(adapter, client)


def _rate(client: Any) -> dict[str, Any]:
    """Give the rate a backend told, when it tells one."""
    rate = getattr(client, "rate", None)
    if rate is None:
        return {}
    resets = rate.resets_at.isoformat().replace("+00:00", "Z") if rate.resets_at is not None else None
    return {"rate": {"limit": rate.limit, "remaining": rate.remaining, "resets_at": resets}}


def _scopes(adapter: Adapter, client: Any) -> dict[str, Any]:
    """Give the scopes a token was granted, and for each operation those it needs and lacks; null for what is not told."""
    if not adapter.scopes:
        return {}
    granted: frozenset[str] | None = getattr(client, "scopes", None)
    operations = {
        operation: {"needed": sorted(needed), "missing": None if granted is None else sorted(needed - granted)}
        for operation, needed in adapter.scopes.items()
    }
    return {"scopes": {"granted": None if granted is None else sorted(granted), "operations": operations}}


def _answered(error: errors.Error) -> bool:
    return not isinstance(error, errors.Unavailable | errors.Invalid)


def _failed(failure: Failure | None) -> dict[str, Any]:
    if failure is None:
        return {}
    return {"status": failure.status, "problem": failure.what, "advice": failure.to_do}
