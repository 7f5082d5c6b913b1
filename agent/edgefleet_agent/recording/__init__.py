"""Evidence on disk: event store, snapshots, clips."""
