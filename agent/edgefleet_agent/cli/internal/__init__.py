"""Commands that the agent starts itself, not meant for users: worker, launcher, verifiers."""
