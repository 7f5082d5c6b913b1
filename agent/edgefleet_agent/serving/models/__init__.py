"""Selection of the served models: model folders, slots of pipelines, uploads, eviction."""
