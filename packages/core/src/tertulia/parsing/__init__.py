"""What an adapter needs to read data somebody else wrote: strict JSON, frozen models, and one `Invalid` for a refusal."""

from tertulia._frozen import Frozen, Id, Instant, checked, invalid, refuse
from tertulia._json import MAX_BYTES, load, load_object

__all__ = ["MAX_BYTES", "Frozen", "Id", "Instant", "checked", "invalid", "load", "load_object", "refuse"]
