"""Pure language: no storage, no clock, no model. Chinese and English side by side."""
