"""AnCast and AnCast++, greedy scores from anchors, as the published program counts."""
