"""A stack under faults, and what those who ask see of it."""
