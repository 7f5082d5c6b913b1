"""Hailo-8 and Hailo-8L, driven by HailoRT in a host process."""
