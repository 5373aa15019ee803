"""What all modules of the kit's tests begin with."""

import gc

import pytest


@pytest.fixture(scope="module", autouse=True)
def settled() -> None:
    """Leave what is there already, a whole GraphQL schema for one, out of the many collections of sessions within ours."""
    gc.collect()
    gc.freeze()
