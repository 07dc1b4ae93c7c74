"""Rolling back what a member of staff decided, as one batch that can be reversed (I-20)."""
