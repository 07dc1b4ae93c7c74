"""What is shown of calls: one of them, lists, queues, and what other systems are told."""
