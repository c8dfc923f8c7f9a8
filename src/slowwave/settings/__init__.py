"""One frozen Settings, checked strictly: an unknown key is refused, with a suggestion.

Sources, later wins: defaults, the preset, `slowwave.toml` in the home, environment, what the caller
passes. Only `wiring` reads files and the environment; this package is pure.

presets (what each sets) · sections, server (the structs) · build (checking and merging)
"""

from slowwave.settings.build import (
    ENVIRONMENT,
    LONGEST_NAME,
    OTHER_VARIABLES,
    build,
    home_of,
    space_name,
    zone_of,
)
from slowwave.settings.presets import PRESETS, Preset, Route
from slowwave.settings.sections import (
    DreamSettings,
    ForgetSettings,
    GateSettings,
    ModelSettings,
    RecallSettings,
    Settings,
    SignalSettings,
    VaultSettings,
    without_login,
)
from slowwave.settings.server import ProxySettings, ResidentSettings, ServerSettings, Trigger

__all__ = [
    "ENVIRONMENT",
    "LONGEST_NAME",
    "OTHER_VARIABLES",
    "PRESETS",
    "DreamSettings",
    "ForgetSettings",
    "GateSettings",
    "ModelSettings",
    "Preset",
    "ProxySettings",
    "RecallSettings",
    "ResidentSettings",
    "Route",
    "ServerSettings",
    "Settings",
    "SignalSettings",
    "Trigger",
    "VaultSettings",
    "build",
    "home_of",
    "space_name",
    "without_login",
    "zone_of",
]
