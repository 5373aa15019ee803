"""The `tertulia` command."""

__all__: list[str] = []
