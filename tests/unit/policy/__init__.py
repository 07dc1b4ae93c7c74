"""The rule table and its publication."""

from __future__ import annotations
