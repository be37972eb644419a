"""How p-values are printed, the same wherever there is a test."""

from __future__ import annotations


def p_value(value: float | None) -> str:
    """Four decimals, or how small it is at most; a dash where there is none."""
    if value is None or value != value:
        return "-"
    return f"{value:.4f}" if value >= 0.0001 else "<0.0001"
