"""What `Tests/Fuzz/fuzz` is made of."""
