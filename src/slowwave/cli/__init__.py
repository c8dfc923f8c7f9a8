"""The command line: a door. Flags, exit codes and rendering live here, nothing else."""
