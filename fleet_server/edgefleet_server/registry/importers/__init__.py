"""Model files, OpenVINO IR and Triton repositories to packages. Loads no runtime."""
