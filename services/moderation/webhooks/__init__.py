"""Webhooks: where the feed is pushed to, and how far each receiver has got."""
