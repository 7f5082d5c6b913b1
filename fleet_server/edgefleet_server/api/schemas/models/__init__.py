"""Bodies about model packages, pipelines and trust in them."""
