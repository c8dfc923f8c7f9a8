"""The edges: stores, embedders, foreign formats, files. They know only the vocabulary."""
