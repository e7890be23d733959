"""The lobby: joining, starting, rematches and forks of matches."""
