"""Parts of the command line that several subcommands share."""
