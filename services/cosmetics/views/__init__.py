"""Rows and answers about cosmetics."""
