"""What an adapter needs to read data somebody else wrote: strict JSON, frozen models, and one `Invalid` for a refusal."""

from tertulia._frozen import Frozen, Id, Instant, build, checked, invalid, refuse
from tertulia._json import MAX_BYTES, as_list, as_object, load, load_object
from tertulia._line import one_line

__all__ = [
    "MAX_BYTES",
    "Frozen",
    "Id",
    "Instant",
    "as_list",
    "as_object",
    "build",
    "checked",
    "invalid",
    "load",
    "load_object",
    "one_line",
    "refuse",
]
