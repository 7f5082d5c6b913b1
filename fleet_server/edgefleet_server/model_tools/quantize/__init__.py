"""int8 variants of a float package, each with its measured error."""
