"""Resampling and tests of differences."""
