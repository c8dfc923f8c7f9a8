"""Data-set readers, metrics and baselines behind `slowwave eval`."""
