"""What `Tests/Flood/flood` is made of."""
