"""Foreign formats, one file each, recognised and not asked for."""
