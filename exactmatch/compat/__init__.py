"""Drop-in replacements for the modules that other tools import."""
