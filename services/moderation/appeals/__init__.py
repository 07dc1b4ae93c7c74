"""Appeals (I-30 to I-36): a player's appeal of a decision, and what the decision of the appeal does to their record."""
