"""Conduct records: incidents, strikes, sanctions, appeals, and the policy they are decided under."""
