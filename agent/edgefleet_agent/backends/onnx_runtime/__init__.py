"""ONNX Runtime with its CPU, CUDA, TensorRT, AMD and Intel execution providers."""
