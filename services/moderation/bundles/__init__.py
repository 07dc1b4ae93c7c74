"""Bundles: a part of the log as a file that proves itself, written by `moderation export`, checked by `moderation verify-bundle`."""
