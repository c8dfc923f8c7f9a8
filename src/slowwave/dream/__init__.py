"""The night: collect → distill → verify → reconcile → promote → write.

Stages take and return values and do not know each other; only `cycle` knows the order.
"""
