"""Lessons from the agent's own messages.

marked        by how they are written: no model is needed
proposed      as a model reads them: beside the marked ones, never in their place
"""
