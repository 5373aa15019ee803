"""A small GitHub on loopback that keeps what is written: issues, pull requests, comments, reviews, labels.

It answers as GitHub documents it, and breaks the wire on demand. `docs/counterparts.md` says where it differs.
"""

from tertulia.testing.github._server import GitHub
from tertulia.testing.github._state import APPS, DEMO, PEOPLE, REPO, Json

__all__ = ["APPS", "DEMO", "PEOPLE", "REPO", "GitHub", "Json"]
