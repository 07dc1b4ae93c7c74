"""Bans of networks, each by its own id, and the accounts exempt from a ban (I-14, N04 to N07)."""
