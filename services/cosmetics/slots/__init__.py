"""The slots of a player: what was uploaded, replaced, removed, purged."""
