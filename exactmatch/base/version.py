"""The version, in the one place that the build, the signature and the CLI read."""

__version__ = "0.1.0"
