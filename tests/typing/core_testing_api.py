"""Use the servers and the wire that the core has for tests. Type checkers read this file; nothing runs it."""

from typing import Any, assert_type

from tertulia.testing import clock, github, line, loopback, slack, wire
from tertulia.testing.github import refusals


def a_server() -> str:
    """Script a server."""
    with loopback.serve() as server:
        handler: loopback.Handler = lambda request: loopback.Reply(200, {"path": request.path})  # noqa: E731 - it is one
        server.route("GET", "/.*", handler)
        assert_type(server, loopback.Server)
        assert_type(server.requests, list[loopback.Request])
        return server.url


def a_github(server: loopback.Server) -> github.GitHub:
    """Break a GitHub in each way."""
    site = github.GitHub(server)
    said: github.Json = site.say("Why?", "alice")
    assert_type(said["id"], Any)
    site.refuse(refusals.SECONDARY, refusals.slow_down("90", status=403), refusals.hour_is_used_up())
    site.break_with(wire.Fault.CUT)
    site.lose(line.BAD_GATEWAY)
    return site


def a_slack(server: loopback.Server) -> slack.Slack:
    """Take a workspace."""
    return slack.Slack(server)


def a_wire(made: wire.Wire) -> wire.Breakable:
    """Take what may break."""
    assert_type(made.overheard, list[str])
    return made


def no_waiting() -> list[float]:
    """Wait without waiting."""
    return clock.Time().slept
