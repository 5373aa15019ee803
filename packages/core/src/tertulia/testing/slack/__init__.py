"""A Slack on loopback: a workspace with channels, threads and people, and the methods of the Web API that read and answer.

Whoever talks to it runs it on a server of `tertulia.testing.loopback`. docs/counterparts.md says what it models.
"""

from tertulia.testing.slack._server import Slack
from tertulia.testing.slack._socket_mode import SocketMode, event_callback
from tertulia.testing.slack._state import APP, BOT, CHANNEL, ME, TEAM, Json

__all__ = ["APP", "BOT", "CHANNEL", "ME", "TEAM", "Json", "Slack", "SocketMode", "event_callback"]
