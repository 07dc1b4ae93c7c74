"""A tournament: its rounds and people, the penalties given at it, and what they do to games, matches and standings."""
