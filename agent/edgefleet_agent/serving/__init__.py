"""Local inference API: KServe V2 (Open Inference Protocol) over HTTP and gRPC, TensorFlow Serving REST, MQTT."""
