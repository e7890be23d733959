"""Views, notices and answers as lines for people."""
