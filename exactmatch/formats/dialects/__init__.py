"""What published programs read otherwise than penman does, one file for each."""
