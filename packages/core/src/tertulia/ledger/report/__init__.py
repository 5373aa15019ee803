"""A ledger for people to look at: what was decided about every record, by which rule, and what an agent gets of it."""

from tertulia.ledger.report._report import Report

__all__ = ["Report"]
