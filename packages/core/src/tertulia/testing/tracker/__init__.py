"""A tracker in memory, with every capability: the executable specification of `tertulia.tracker.Client`.

Nothing is faked about the rules: bodies go through `tertulia.outbound`, a keyed post looks first and after a send whose
outcome is not known, only the author may edit, a locked issue takes no answer, and what is deleted is gone.
"""

from tertulia.testing.tracker._client import Client
from tertulia.testing.tracker._tracker import Tracker

__all__ = ["Client", "Tracker"]
