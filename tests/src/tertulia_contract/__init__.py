"""The contract kit: subclass a contract, give it a `client` and a `backend` fixture, and run pytest.

`ThreadsContract` is for what can only read and answer, `TrackerContract` for a tracker, `ConversationContract` for
conversations. A test stands for a sentence of the
Protocols' docstrings. Tests of a capability that the client does not declare hold it to refusing.
"""

from tertulia_contract._backend import Ability, Backend, ConversationBackend, Unable
from tertulia_contract._contract import Contract
from tertulia_contract._kinds import ConversationContract, ThreadsContract, TrackerContract

__all__ = [
    "Ability",
    "Backend",
    "Contract",
    "ConversationBackend",
    "ConversationContract",
    "ThreadsContract",
    "TrackerContract",
    "Unable",
]
