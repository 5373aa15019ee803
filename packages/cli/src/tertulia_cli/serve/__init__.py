"""`tertulia serve`, the webhook receiver; what it needs besides comes with the extra `serve`."""

from tertulia_cli.serve._command import register

__all__ = ["register"]
