"""Stand-ins with the real protocols: worker, self-test, fleet server over a real broker; and packages with random content."""
