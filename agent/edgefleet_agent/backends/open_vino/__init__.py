"""OpenVINO on CPU, GPU and NPU."""
