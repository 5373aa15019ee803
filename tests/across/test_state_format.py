"""docs/state-format.md is what other languages read: its test vector holds."""

import hashlib
import hmac
import re
from pathlib import Path


def test_the_vector_of_the_page_is_what_the_page_describes(root: Path) -> None:
    page = (root / "docs" / "state-format.md").read_text("utf-8")
    key, secret, thread, rev, data = re.findall(
        r"`([^`]+)`", page.partition("Test vector:")[2].partition("\n\n")[0].replace("revision 3", "`3`")
    )
    (told,) = re.findall(r"^    ([0-9a-f]{64})$", page, re.MULTILINE)

    message = "\0".join(["tertulia-state", key, thread, rev, data]).encode()

    assert hmac.new(secret.encode(), message, hashlib.sha256).hexdigest() == told
