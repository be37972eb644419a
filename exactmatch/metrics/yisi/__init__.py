"""YiSi on text and on graphs."""
