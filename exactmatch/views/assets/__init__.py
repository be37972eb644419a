"""Style sheets and scripts of the pages."""
