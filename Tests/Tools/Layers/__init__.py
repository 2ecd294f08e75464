"""The arrows between the groups of `Shared`, and between the services."""
