"""Penalties that a head judge refers to the site's admins: a queue, and what became of each."""
