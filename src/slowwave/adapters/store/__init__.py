"""Stores: one folder or module per engine, one contract suite for all (`slowwave.testing`)."""
