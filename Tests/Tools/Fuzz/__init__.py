"""What `Tests/Tools/Fuzz/fuzz` is made of."""
