"""Models on disk, safe against a power cut at any byte: blobs, packages, slot records, trust. No network."""
