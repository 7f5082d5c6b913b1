"""Public models: addresses, digests and manifests."""
