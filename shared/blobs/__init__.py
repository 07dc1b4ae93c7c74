"""Bytes that are too large for the log, behind one seam."""
