"""What the device keeps of models: blobs, slots, and the self-test of a candidate."""
