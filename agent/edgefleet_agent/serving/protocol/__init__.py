"""Values of the V2 protocol: requests, tensors, errors, statistics, traces, shared memory. No sockets."""
