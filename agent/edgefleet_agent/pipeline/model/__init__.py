"""Models in pipelines: loaded models, slots, crops, state tensors."""
