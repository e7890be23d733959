"""What a finished match shows in hindsight: why a side did not see something."""
