"""What Tests/Tools/Benchmarks/benchmarks measures, a module each."""
