"""What `compose/flood` is made of."""
