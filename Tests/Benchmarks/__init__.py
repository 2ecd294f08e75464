"""What Tests/Benchmarks/benchmarks measures, a module each."""
