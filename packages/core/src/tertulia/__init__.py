"""Let AI agents take part where people already talk about work.

Import what you need from the submodules: `tertulia.event`, `tertulia.thread`, `tertulia.ledger`, `tertulia.webhook`,
`tertulia.outbound`, `tertulia.registry`, `tertulia.errors`. Importing this package loads the standard library only.
"""

__all__ = ["__version__"]

__version__ = "0.1.0"
