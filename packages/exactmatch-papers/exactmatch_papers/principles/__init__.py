"""Whether metrics keep what they promise."""
