"""What the benchmarks over HTTP share: the two sides, the load, the figures."""
