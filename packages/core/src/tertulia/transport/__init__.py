"""What the client of every backend has below it: waiting within bounds, a token, and posting at most once.

Nothing here speaks HTTP. An adapter brings its SDK's requests as functions, and its refusals as errors of the tree.
"""

from tertulia.transport._granted import granted
from tertulia.transport._once import Once
from tertulia.transport._rate import Rate
from tertulia.transport._token import Token
from tertulia.transport._traffic import CAUTION, READS, Failure, Traffic
from tertulia.transport._unanswered import unanswered
from tertulia.transport._waiting import TRIES, Budget, Clock, backoff

__all__ = [
    "CAUTION",
    "READS",
    "TRIES",
    "Budget",
    "Clock",
    "Failure",
    "Once",
    "Rate",
    "Token",
    "Traffic",
    "backoff",
    "granted",
    "unanswered",
]
