"""From what a command came to, to what is sent."""

from __future__ import annotations

from shared.commands import CommandReply
from shared.http.call import Reply


def answered(reply: CommandReply) -> Reply:
    """A command's reply; one that was given before says so."""
    return Reply(status=reply.status, body=reply.body, headers={"Idempotency-Replayed": "true"} if reply.replayed else {})
