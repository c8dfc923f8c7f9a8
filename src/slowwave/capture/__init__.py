"""Anything in → Event: strict envelope, idempotency key, secrets out, loop guard."""
