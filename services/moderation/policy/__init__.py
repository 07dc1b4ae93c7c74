"""The rule table: as data, as a file, as a document, and its publication."""

from __future__ import annotations
