"""The hosts that Slowwave connects to: where each keeps its settings, and what goes into them."""
