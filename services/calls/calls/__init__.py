"""Calls to an admin: from the button to the last word, one stream for each call (`call-{call_id}`)."""
