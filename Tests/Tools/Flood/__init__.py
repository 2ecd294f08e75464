"""What `Tests/Tools/Flood/flood` is made of."""
