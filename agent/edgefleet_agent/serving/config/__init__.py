"""Configuration of served models: Triton's `config.pbtxt` terms, warm-up, traffic splits. Pure."""
