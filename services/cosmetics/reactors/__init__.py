"""Whenever X, then Y."""
