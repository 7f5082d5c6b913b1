"""Commands that the agent starts itself: worker, launcher, verifiers. Not for people."""
