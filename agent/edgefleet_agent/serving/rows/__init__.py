"""Whether the rows of a model's tensors are independent, so that requests of different callers may be joined into a batch."""
