"""What a sender of webhooks needs whatever it sends: signatures (Standard Webhooks), checked targets, one attempt."""
