"""Forgetting a player: the data key is destroyed, the words with it; decisions, strikes and proofs stay."""
