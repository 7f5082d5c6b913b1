"""Which models are served: folders, slots of pipelines, uploads, eviction."""
