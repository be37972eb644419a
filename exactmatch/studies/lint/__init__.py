"""What is wrong with files of graphs."""
