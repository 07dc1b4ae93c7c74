"""For auditors: a record replayed step by step, compared between moments, asked what if, and explained."""
