"""The two models of `serving.peers` in the format of each other server. Run by that server's own Python only."""
