"""Writes the client's generated half (`shared/client/api`) from the declared endpoints."""
