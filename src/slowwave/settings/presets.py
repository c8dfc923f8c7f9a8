"""The presets: what each sets otherwise than `balanced` (systems.md)."""

import types
from collections.abc import Mapping
from typing import Any, Literal

Preset = Literal[
    "balanced", "nightly", "recall", "openclaw", "openclaw-classic",
    "realtime", "verified", "platform",
]  # fmt: skip


Route = Literal["salience", "time", "signals"]

PRESETS: Mapping[str, Mapping[str, Any]] = types.MappingProxyType(
    {
        # Everything worth an entry becomes long-term at once (N9).
        "nightly": {
            "dream": {
                "routes": ["salience"],
                "salience_importance": 40,
                "salience_confidence": 0.0,
            }
        },
        # Only time decides; a preference must have been said twice (L3, L6).
        "verified": {"dream": {"routes": ["time"], "keep_importance": 0, "preference_mentions": 2}},
        # Dreams whenever there is time for it, by the brakes of P10.
        "platform": {"resident": {"triggers": ["clock", "idle", "backlog", "forced"]}},
        # What was said lasts at once; about the user for good, the world is evicted (R1, R2).
        "realtime": {
            "dream": {
                "routes": ["salience"],
                "salience_importance": 40,
                "salience_confidence": 0.0,
                "forget": {"idle_days": 30, "importance_under": 80, "evergreen": "personal"},
            }
        },
        # A few recent things for each question, and who the user is (X2, X5).
        "recall": {"recall": {"k": 5, "inject": 3, "max_age_days": 30}},
        # Only what is recalled lasts, by the numbers of openclaw.md (its MEMORY.md: 10,000 chars).
        "openclaw": {
            "dream": {"routes": ["signals"], "keep_importance": 0, "loaded_tokens": 2_500}
        },
        # The same by the older, published numbers (O8).
        "openclaw-classic": {
            "dream": {
                "routes": ["signals"],
                "keep_importance": 0,
                "loaded_tokens": 2_500,
                "signals": {"score": 0.80, "spread": "queries_or_days", "max_age_days": 0},
            }
        },
    }
)
"""What each preset sets otherwise than `balanced`; what a user sets himself comes on top."""
