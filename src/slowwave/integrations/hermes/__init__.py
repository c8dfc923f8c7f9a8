"""Hermes: a memory provider. What Hermes loads is `plugin/`; what it does is `provider`."""
