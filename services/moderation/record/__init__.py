"""A player's conduct record: what was decided about them, one stream per player."""
