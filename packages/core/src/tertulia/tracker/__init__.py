"""Issue content on any tracker: read, answer, edit, label."""

from tertulia.tracker._client import Client, Unimplemented
from tertulia.tracker._models import Capability, Issue, IssueDraft

__all__ = ["Capability", "Client", "Issue", "IssueDraft", "Unimplemented"]
