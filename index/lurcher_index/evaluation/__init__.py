"""How well the search does on a workspace's own history."""
