"""Claude Code: what its hooks are answered, and the plugin folder that goes with them."""
