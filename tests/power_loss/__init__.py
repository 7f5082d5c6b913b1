"""Power loss: records what a program writes and flushes, and builds every disk that a cut of the power may leave."""
