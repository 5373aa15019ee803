"""GitHub's webhook bodies, for every adapter that normalizes some: read strictly, and made into the parts of events.

An adapter describes the payloads of its events as TypedDicts made of the shapes here, and gives `normalized` a `Maker` for
each: the shape, and a function that writes the event. Every part is checked where it is read or made, and not again in the
event; `tertulia.testing.payloads.check` holds an adapter to what its events then have to be. Pure: nobody is asked.
"""

from tertulia.parsing.github_events._comments import COMMENT_KINDS, comment_transition
from tertulia.parsing.github_events._delivery import event_repo, short
from tertulia.parsing.github_events._marks import comment_mark, entity_mark, mark
from tertulia.parsing.github_events._native import Maker, Native, normalized
from tertulia.parsing.github_events._people import Person, fold, is_same, person
from tertulia.parsing.github_events._shapes import (
    App,
    Comment,
    Label,
    Labels,
    Moment,
    Nothing,
    Number,
    Page,
    Payload,
    Repository,
    Subject,
    User,
    Word,
)
from tertulia.parsing.github_events._subjects import entity, labelled, labels_of, snapshot, with_label

__all__ = [
    "COMMENT_KINDS",
    "App",
    "Comment",
    "Label",
    "Labels",
    "Maker",
    "Moment",
    "Native",
    "Nothing",
    "Number",
    "Page",
    "Payload",
    "Person",
    "Repository",
    "Subject",
    "User",
    "Word",
    "event_repo",
    "comment_mark",
    "comment_transition",
    "entity",
    "entity_mark",
    "fold",
    "is_same",
    "labelled",
    "labels_of",
    "mark",
    "normalized",
    "person",
    "short",
    "snapshot",
    "with_label",
]
