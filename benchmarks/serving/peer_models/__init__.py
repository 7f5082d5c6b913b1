"""The two models of `serving.peers` as each other server wants them. Run by that server's own Python, never by ours."""
