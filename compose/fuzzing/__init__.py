"""What `compose/fuzz` is made of."""
