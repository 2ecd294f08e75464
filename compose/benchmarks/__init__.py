"""What compose/bench measures, a module each."""
