"""Question → hits: words and vectors (retrieve), one order (rank), signals."""
