"""What happened, in sentences: a module for each system."""
