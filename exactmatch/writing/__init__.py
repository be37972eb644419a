"""Tables, pages, pictures, files and progress; knows no AMR."""
