"""A stack under faults, and the answers that its users get."""
