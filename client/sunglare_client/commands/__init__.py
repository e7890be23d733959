"""The subcommands of `sunglare`."""
