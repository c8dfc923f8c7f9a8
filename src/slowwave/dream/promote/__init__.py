"""Which memories become active, and which wait as candidates.

stage         every candidate asked, and the change that follows
routes        the routes, in the order of the settings
signals       the route of signals: what people look for becomes lasting
"""
