"""Duel rooms: who plays, whether play is paused, and which call is live."""
