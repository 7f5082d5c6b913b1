"""Models as pipelines use them: loaded models, slots, crops, state tensors."""
