"""Tables, pages and plots; knows no graph."""
